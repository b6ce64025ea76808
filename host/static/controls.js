// The controls of the seats that this phone holds: fills in an action by taps, sends it once, and says why not.

import { inOrder } from "./in-order.js";
import "./two-pages.js";

const section = document.getElementById("controls");
const why = document.getElementById("why");

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 8000;
const SAID_MS = 8000;
const MOST_TRIES = 5;

const UNANSWERED = `croupier-unanswered ${section.dataset.actions}`;
const REFUSED = `croupier-refused ${section.dataset.actions}`;

/** Each control as the server last drew it, so that one that is the same keeps what was tapped into it. */
const drawnAs = new WeakMap();

let looking = "";
let number = 0;

/** Whether a finger is down; what it is about to tap must not be exchanged under it. */
let isTouching = false;
let drawWhenLetGo = false;

// Drawing ---------------------------------------------------------------------------------------------------------

function take(fresh) {
  if (isTouching) {
    drawWhenLetGo = true;
    return;
  }
  const held = section.querySelector("[data-number]");
  const before = new Map([...held.children].map((child) => [child.dataset.control, child]));
  const children = [...fresh.children].map((child) => {
    const html = child.outerHTML;
    const old = before.get(child.dataset.control);
    if (old && drawnAs.get(old) === html) return old;
    drawnAs.set(child, html);
    return child;
  });
  number = Number(fresh.dataset.number);
  looking = fresh.dataset.looking;
  Object.assign(held.dataset, { number, looking });
  const isSame = children.length === held.children.length && children.every((child, i) => child === held.children[i]);
  if (!isSame) held.replaceChildren(...children);
  for (const form of section.querySelectorAll("form")) check(form);
}

/** Draws the controls anew; the promise ends once they are as fresh as the moment of the call. */
const draw = inOrder(async () => {
  const asked = looking;
  try {
    const address = `${section.dataset.controls}?as=${encodeURIComponent(asked)}`;
    const answer = await fetch(address, { cache: "no-store" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-number]");
    // Who is looking may have changed meanwhile; then this answer is for somebody else.
    if (fresh && asked === looking) take(fresh);
  } catch {
    // The scoreboard says that the connection is lost, and asks again once it is back.
  }
});

/** A tap follows within this time after its finger has gone; a swipe is followed by none. */
const TAP_MS = 100;

function touch() {
  clearTimeout(touch.timer);
  isTouching = true;
}

function letGo() {
  clearTimeout(touch.timer);
  isTouching = false;
  if (drawWhenLetGo) setTimeout(draw);
  drawWhenLetGo = false;
}

section.addEventListener("pointerdown", touch);
section.addEventListener("click", letGo);
for (const type of ["pointerup", "pointercancel"]) {
  addEventListener(type, () => isTouching && (touch.timer = setTimeout(letGo, TAP_MS)));
}

function tell(place, sentence) {
  place.textContent = sentence;
  place.hidden = false;
  place.scrollIntoView({ block: "nearest" });
}

function tellAbove(sentence) {
  tell(why, sentence);
  clearTimeout(tellAbove.timer);
  tellAbove.timer = setTimeout(() => (why.hidden = true), SAID_MS);
}

// Filling in ------------------------------------------------------------------------------------------------------

function chosenIn(part) {
  switch (part.dataset.kind) {
    case "ordered":
      return [...part.querySelectorAll(".chosen li")].map((item) => JSON.parse(item.dataset.value));
    case "amount":
      return part.querySelector("input").valueAsNumber;
    case "tick":
      return part.querySelector("input").checked || undefined;
    default: {
      const values = [...part.querySelectorAll("input:checked")].map((input) => JSON.parse(input.value));
      return "many" in part.dataset ? values : values[0];
    }
  }
}

function isFilled(part) {
  const chosen = chosenIn(part);
  switch (part.dataset.kind) {
    case "ordered":
      return chosen.length >= Number(part.dataset.least);
    case "amount":
      return part.querySelector("input").validity.valid;
    case "tick":
      return true;
    default:
      return part.querySelectorAll("input:checked").length === Number(part.dataset.count);
  }
}

function put(action, path, value) {
  if (value === undefined) return;
  const names = path.split(".");
  const last = names.pop();
  for (const name of names) action = action[name] ??= {};
  action[last] = Array.isArray(value) && last in action ? [...action[last], ...value] : value;
}

function actionOf(form, button) {
  const action = JSON.parse(form.dataset.action);
  if (!("alone" in button.dataset)) {
    for (const part of form.querySelectorAll(".part")) put(action, part.dataset.path, chosenIn(part));
  }
  return { ...action, ...JSON.parse(button.dataset.fields) };
}

/** What can be tapped next: no more than may be chosen, nothing twice that must differ, no sending before all is in. */
function check(form) {
  const picks = [...form.querySelectorAll(".pick")];
  for (const part of picks) {
    const others = picks.filter((other) => other !== part && part.dataset.apart && other.dataset.apart === part.dataset.apart);
    const taken = new Set(others.flatMap((other) => [...other.querySelectorAll("input:checked")].map((input) => input.value)));
    const isFull = Number(part.dataset.count) > 1 && isFilled(part);
    for (const input of part.querySelectorAll("input")) {
      input.disabled = !input.checked && (isFull || taken.has(input.value));
    }
  }
  for (const part of form.querySelectorAll(".ordered")) {
    const limits = JSON.parse(part.dataset.limits);
    const items = [...part.querySelectorAll(".chosen li")];
    for (const button of part.querySelectorAll("[data-add]")) {
      const limit = button.dataset.limit;
      const used = items.filter((item) => item.dataset.limit === limit).length;
      button.disabled = items.length >= Number(part.dataset.most) || (limit !== undefined && used >= limits[limit]);
    }
    part.querySelector(".empty-hand").hidden = items.length > 0;
  }
  const isReady = [...form.querySelectorAll(".part")].every(isFilled);
  for (const button of form.querySelectorAll(".send")) {
    button.disabled = form.dataset.sending === "yes" || !(isReady || "alone" in button.dataset);
  }
}

function addTo(part, button) {
  const item = document.createElement("li");
  item.dataset.value = button.dataset.add;
  if (button.dataset.limit) item.dataset.limit = button.dataset.limit;
  const remove = document.createElement("button");
  remove.type = "button";
  remove.dataset.remove = "";
  remove.title = part.querySelector(".chosen").dataset.remove;
  remove.append(...[...button.childNodes].map((node) => node.cloneNode(true)), document.createTextNode(" ×"));
  item.append(remove);
  part.querySelector(".chosen").append(item);
}

function step(part, by) {
  const input = part.querySelector("input");
  const value = (Number.isFinite(input.valueAsNumber) ? input.valueAsNumber : Number(input.min)) + by;
  input.value = Math.min(Number(input.max), Math.max(Number(input.min), value));
}

section.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const part = event.target.closest(".part");
  if (!button) return;
  if ("lookAs" in button.dataset) {
    looking = looking === button.dataset.lookAs ? "" : button.dataset.lookAs;
    why.hidden = true;
    draw();
  } else if ("add" in button.dataset) {
    addTo(part, button);
  } else if ("remove" in button.dataset) {
    button.closest("li").remove();
  } else if ("step" in button.dataset) {
    step(part, Number(button.dataset.step));
  } else if ("preset" in button.dataset) {
    part.querySelector("input").value = button.dataset.preset;
  }
  if (part) check(part.closest("form"));
});
section.addEventListener("input", (event) => check(event.target.closest("form")));

// Sending ---------------------------------------------------------------------------------------------------------

/** An id of this intent's own. `randomUUID` is only there on HTTPS. */
function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Sends a message until it is answered; with the same id it counts once, however often it arrives. */
async function deliver(message, place) {
  keep(UNANSWERED, message);
  for (let wait = FIRST_RETRY_MS; ; wait = Math.min(2 * wait, LONGEST_RETRY_MS)) {
    try {
      const answer = await fetch(section.dataset.actions, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(message),
      });
      const body = await answer.json();
      if (answer.status < 500) {
        keep(UNANSWERED, null);
        return { status: answer.status, body };
      }
      tell(place, body.detail);
    } catch {
      tell(place, section.dataset.sendingAgain);
    }
    await new Promise((wake) => setTimeout(wake, wait));
  }
}

function isStale(answer) {
  return answer.status === 409 && answer.body.slug === "stale-number";
}

async function send(form, button) {
  if (form.dataset.sending === "yes") return;
  form.dataset.sending = "yes";
  check(form);
  const action = actionOf(form, button);
  const place = form.querySelector(".sentence");
  let answer = await deliver({ id: newId(), number, action }, place);
  for (let tries = 0; tries < MOST_TRIES && isStale(answer); tries++) {
    await draw();
    // Others may act at the same time: where the very same is still asked, the answer is the same. A roll is not:
    // it may be the next one that is asked for in the same words.
    if (!form.isConnected || action.type === "roll") break;
    answer = await deliver({ id: newId(), number, action }, place);
  }
  form.dataset.sending = "";
  if (answer.status === 200) {
    place.hidden = true;
    keep(REFUSED, null);
    drawnAs.delete(form);
    await draw();
    askWhoIsLooking(action.player);
    // Whoever sent a long form is at its end: what comes next begins above.
    if (section.getBoundingClientRect().top < 0) scrollTo({ top: 0, behavior: "instant" });
    return;
  }
  await draw();
  const reason = isStale(answer) ? section.querySelector("[data-number]").dataset.overtaken : answer.body.detail;
  keep(REFUSED, { reason, number });
  if (form.isConnected) {
    tell(place, reason);
    check(form);
  } else {
    tellAbove(reason);
  }
}

// A page that is loaded again goes on where it was: what was not answered yet is sent again, with the same id, and a
// refusal is still said while the table stands as it stood then.

function keep(name, value) {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Where nothing can be stored, it is said until the page is left.
  }
}

function kept(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}

async function goOn() {
  const refused = kept(REFUSED);
  if (refused?.number === number) tell(why, refused.reason);
  else keep(REFUSED, null);
  const unanswered = kept(UNANSWERED);
  if (!unanswered) return;
  const answer = await deliver(unanswered, why);
  why.hidden = true;
  await draw();
  if (answer.status !== 200) tellAbove(answer.body.detail);
}

/** Where one phone has several seats, the next to look may be somebody else. */
function askWhoIsLooking(player) {
  const isStillAwaited = section.querySelector("form") !== null;
  if (section.querySelector("[data-look-as]") && looking === player && !isStillAwaited) {
    looking = "";
    draw();
  }
}

section.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.submitter && !event.submitter.disabled) send(event.target, event.submitter);
});

// Secrets ---------------------------------------------------------------------------------------------------------

let holding = null;

async function reveal(button) {
  const place = button.parentElement.querySelector(".held");
  holding = button;
  button.classList.add("pressed");
  try {
    const answer = await fetch(button.dataset.hold, { cache: "no-store" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (holding !== button) return;
    place.replaceChildren(...page.body.children);
    place.hidden = false;
  } catch {
    // Nothing is shown without a connection.
  }
}

function conceal() {
  if (!holding) return;
  holding.classList.remove("pressed");
  const place = holding.parentElement.querySelector(".held");
  place.replaceChildren();
  place.hidden = true;
  holding = null;
}

section.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("[data-hold]");
  if (button) reveal(button);
});
section.addEventListener("keydown", (event) => {
  const button = event.target.closest("[data-hold]");
  if (button && !event.repeat && (event.key === " " || event.key === "Enter")) reveal(button);
});
section.addEventListener("contextmenu", (event) => {
  if (event.target.closest("[data-hold]")) event.preventDefault();
});
for (const type of ["pointerup", "pointercancel", "keyup", "blur", "visibilitychange", "pagehide"]) {
  addEventListener(type, conceal);
}

document.addEventListener("table-changed", draw);
document.addEventListener("visibilitychange", () => {
  // Whoever takes up a phone with several seats says again who they are.
  if (document.visibilityState === "hidden" && section.querySelector("[data-look-as]")) looking = "";
});

take(section.querySelector("[data-number]"));
section.dataset.ready = "";
goOn();
