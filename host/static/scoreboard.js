// Keeps the scoreboard up to date: the event stream says that something changed, the server draws the board anew,
// and the parts that differ are put in place. Without this script the page still shows the moment of its loading.

import { inOrder } from "./in-order.js";

const board = document.getElementById("board");
const lost = document.getElementById("lost");
const said = document.getElementById("said");

const RETRY_MS = 2000;
const NEWEST_MS = 3000;

/** What the server last sent for each part, before its times were put into this phone's own zone. */
const shown = new Map();

let events = null;

function partsOf(root) {
  return [...root.querySelectorAll("[data-part]")];
}

function showLocalTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const moment = new Date(time.dateTime);
    time.textContent = moment.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  }
}

/** What somebody has opened stays open, and what was shown in it stays there, when its part is drawn anew. */
function keepOpen(older, part) {
  for (const opened of older.querySelectorAll("details[open][data-key]")) {
    const twin = part.querySelector(`details[data-key="${CSS.escape(opened.dataset.key)}"]`);
    if (!twin) continue;
    twin.open = true;
    const outputs = twin.querySelectorAll("output");
    opened.querySelectorAll("output").forEach((output, place) => (outputs[place].textContent = output.textContent));
  }
}

function put(fresh) {
  const parts = partsOf(fresh);
  const same = parts.map((part) => part.dataset.part).join() === partsOf(board).map((part) => part.dataset.part).join();
  if (!same) {
    board.replaceChildren(...fresh.children);
  }
  for (const part of parts) {
    const html = part.outerHTML;
    if (shown.get(part.dataset.part) === html) continue;
    shown.set(part.dataset.part, html);
    if (same) {
      const older = board.querySelector(`[data-part="${part.dataset.part}"]`);
      keepOpen(older, part);
      older.replaceWith(part);
    }
    showLocalTimes(part);
    if (part.dataset.title) document.title = part.dataset.title;
  }
  const headline = document.getElementById("headline").textContent;
  if (said.textContent !== headline) said.textContent = headline;
  document.dispatchEvent(new Event("board-drawn"));
}

const drawBoard = inOrder(async () => {
  try {
    const answer = await fetch(board.dataset.board, { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.statusText);
    put(new DOMParser().parseFromString(await answer.text(), "text/html").body);
    lost.hidden = true;
    document.dispatchEvent(new Event("board-drawn"));
  } catch {
    lost.hidden = false;
  }
});

function draw() {
  document.dispatchEvent(new Event("table-changed"));
  drawBoard();
}

/** The script for corrections comes once there is something to correct; most views of a table never need it. */
function loadCorrections({ reading, objection }) {
  const mayObject = board.dataset.seats !== "[]" && reading?.rolls.length;
  if (document.getElementById("correct") && (reading?.question || objection || mayObject)) import("./correct.js");
}

function follow() {
  events?.close();
  events = new EventSource(board.dataset.events);
  events.addEventListener("table", (event) => {
    loadCorrections(JSON.parse(event.data));
    // A lobby whose game begins becomes the table.
    if ("lobby" in board.dataset && "newest" in board.dataset) location.reload();
    else if ("lobby" in board.dataset) location.assign(`/tables/${board.dataset.table}`);
    else draw();
  });
  events.addEventListener("seats", () => {
    document.dispatchEvent(new Event("seats-changed"));
    draw();
  });
  events.addEventListener("rematch", (event) => {
    document.dispatchEvent(new CustomEvent("rematch-changed", { detail: JSON.parse(event.data) }));
  });
  events.addEventListener("device", (event) => {
    document.dispatchEvent(new CustomEvent("device-changed", { detail: JSON.parse(event.data) }));
  });
  events.addEventListener("open", () => document.dispatchEvent(new Event("stream-opened")));
  events.addEventListener("error", () => {
    lost.hidden = false;
    // The browser reconnects by itself, except after an answer that is no stream.
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, RETRY_MS);
  });
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  if (events.readyState !== EventSource.OPEN) follow();
  draw();
});
addEventListener("online", follow);

/** The TV view follows the newest table: nobody is there to open it. */
async function lookForNewer() {
  try {
    const answer = await fetch("/tv/newest", { cache: "no-store" });
    const newest = await answer.text();
    if (answer.ok && newest !== board.dataset.newest) location.reload();
  } catch {
    // The board says that the connection is lost.
  }
}

showLocalTimes(board);
follow();
if ("newest" in board.dataset) setInterval(lookForNewer, NEWEST_MS);
