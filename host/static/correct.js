// Corrections: which face a die shows, who objects, and rolls that the owner corrects. Each form is one message, which
// counts once however often it is sent; where later lines would be dropped, the page says so and asks.

import { inOrder } from "./in-order.js";

const section = document.getElementById("correct");
const styles = new URL("correct.css", import.meta.url).href;
if (![...document.styleSheets].some((sheet) => sheet.href === styles)) {
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: styles }));
}

const FIRST_RETRY_MS = 500;
const MOST_SENDINGS = 5;

/** Each part as the server last drew it, so that one that is the same keeps what was tapped into it. */
const drawnAs = new WeakMap();

let timer = 0;

function held() {
  return section.querySelector("[data-number]");
}

function take(fresh) {
  const before = new Map([...held().children].map((child) => [child.dataset.key, child]));
  const children = [...fresh.children].map((child) => {
    const html = child.outerHTML;
    const old = before.get(child.dataset.key);
    // How long there is left to object is all that differs in a part that was drawn before.
    if (old && (drawnAs.get(old) === html || "leftS" in child.dataset)) return old;
    drawnAs.set(child, html);
    return child;
  });
  held().dataset.number = fresh.dataset.number;
  const isSame = children.length === held().children.length && children.every((child, i) => child === held().children[i]);
  if (!isSame) held().replaceChildren(...children);
  prepare();
}

/** Draws what is asked anew; the promise ends once it is as fresh as the moment of the call. */
const draw = inOrder(async () => {
  if (!section.dataset.correct) return;
  try {
    const answer = await fetch(section.dataset.correct, { cache: "no-store" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-number]");
    if (fresh) take(fresh);
  } catch {
    // The scoreboard says that the connection is lost, and asks again once it is back.
  }
});

function prepare() {
  for (const form of section.querySelectorAll("form")) check(form);
  clearTimeout(timer);
  const objecting = section.querySelector("[data-left-s]");
  if (objecting) timer = setTimeout(() => objecting.remove(), Number(objecting.dataset.leftS) * 1000);
}

/** Every die needs an answer before anything is sent. */
function check(form) {
  const isReady = [...form.querySelectorAll("[data-die]")].every((die) => die.querySelector("input:checked"));
  for (const button of form.querySelectorAll("button")) button.disabled = !isReady || form.dataset.sending === "yes";
}

function bodyOf(form, button) {
  const body = { id: newId(), number: Number(held().dataset.number), ...JSON.parse(form.dataset.body) };
  const dice = [...form.querySelectorAll("[data-die]")];
  if (dice.length) {
    body.dice = dice
      .map((die) => {
        const chosen = JSON.parse(die.querySelector("input:checked").value);
        return chosen && die.dataset.center ? { ...chosen, center_px: JSON.parse(die.dataset.center) } : chosen;
      })
      .filter((die) => die !== null);
  }
  if ("drop" in button.dataset) body.drop = true;
  return body;
}

/** An id of this intent's own. `randomUUID` is only there on HTTPS. */
function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Sends a message until it is answered; null where nobody answers. */
async function deliver(address, body) {
  for (let tries = 0; tries < MOST_SENDINGS; tries++) {
    if (tries) await new Promise((resolve) => setTimeout(resolve, FIRST_RETRY_MS * 2 ** tries));
    try {
      const answer = await fetch(address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      if (answer.status < 500) return { status: answer.status, body: await answer.json() };
    } catch {
      // Tried again: the message has an id, and counts once.
    }
  }
  return null;
}

function tell(form, sentence) {
  const place = form.querySelector("[role=alert]");
  place.textContent = sentence;
  place.hidden = !sentence;
  if (sentence) place.scrollIntoView({ block: "nearest" });
}

async function send(form, button) {
  if (form.dataset.sending === "yes") return;
  const body = bodyOf(form, button);
  form.dataset.sending = "yes";
  check(form);
  tell(form, "");
  const answer = await deliver(section.dataset.api + form.dataset.send, body);
  form.dataset.sending = "";
  if (answer?.status === 200) {
    if (section.dataset.then === "reload") location.reload();
    else await draw();
  } else if (answer?.body.slug === "amend-drops") {
    const told = section.dataset.drops.replace("{from}", answer.body.from).replace("{drops}", answer.body.drops);
    tell(form, told);
    form.querySelector("[data-drop]").hidden = false;
  } else {
    if (answer?.body.slug === "stale-number") held().dataset.number = answer.body.number;
    tell(form, answer ? answer.body.detail : section.dataset.noAnswer);
    await draw();
  }
  check(form);
}

section.addEventListener("input", (event) => {
  const form = event.target.closest("form");
  const drop = form.querySelector("[data-drop]");
  if (drop) drop.hidden = true;
  check(form);
});
section.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.submitter && !event.submitter.disabled) send(event.target, event.submitter);
});
document.addEventListener("table-changed", draw);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") draw();
});

for (const child of held().children) drawnAs.set(child, child.outerHTML);
prepare();
section.dataset.ready = "";
// The page may have been drawn before what made it load this script.
draw();
