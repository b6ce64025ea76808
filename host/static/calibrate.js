// The steps of calibration on a phone: looks through the camera again and again, and draws what the device says.

import { ask, drawn, pause } from "./appliance.js";

const place = document.getElementById("setting-up");
const start = document.getElementById("start");
const BETWEEN_LOOKS_MS = 500;
const walk = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join("");

let turns = Promise.resolve();
let taps = 0;
const truth = [];

function sizes() {
  const found = { truth };
  for (const field of place.querySelectorAll("input[data-size]")) {
    if (field.checkValidity() && field.value) found[field.dataset.size] = field.valueAsNumber;
  }
  return found;
}

function stepShown() {
  return place.querySelector("[data-step]")?.dataset.step;
}

async function turn(body) {
  const step = stepShown();
  try {
    const command = await ask("calibrate", { walk, ...sizes(), ...body });
    const page = await drawn(`/calibrate/shown/${command.id}`);
    // Meanwhile the person has gone on: an old look is not drawn over what came after it.
    if (body.do === "look" && step !== stepShown()) return;
    show(page);
  } catch (error) {
    say(error.message);
  }
}

function show(page) {
  const now = page.querySelector("[data-step]")?.dataset.step;
  start.hidden = true;
  if (now && now === stepShown() && page.querySelector(".live")) {
    place.querySelector(".way").replaceWith(page.querySelector(".way"));
    const before = place.querySelector(".live");
    const live = page.querySelector(".live");
    before.querySelector(".seen").replaceWith(live.querySelector(".seen"));
    before.dataset.look = live.dataset.look;
    const [old, verdict] = [before.querySelector(".verdict"), live.querySelector(".verdict")];
    old.className = verdict.className;
    if (old.textContent !== verdict.textContent) old.textContent = verdict.textContent;
    place.querySelector("[data-do=take]").disabled = page.querySelector("[data-do=take]").disabled;
    place.querySelector("[role=alert]")?.remove();
    return;
  }
  if (page.querySelector(".failed")) {
    place.querySelector(".failed")?.remove();
    if (!stepShown()) start.hidden = false;
    place.prepend(page);
    return;
  }
  truth.length = 0;
  place.replaceChildren(page);
  place.querySelector("h2")?.focus();
  showKind();
  scrollTo(0, 0);
}

function say(text) {
  const alert = place.querySelector(".failed") ?? Object.assign(document.createElement("p"), { className: "failed" });
  alert.setAttribute("role", "alert");
  alert.textContent = text;
  place.prepend(alert);
  start.hidden = Boolean(stepShown());
}

function then(body) {
  turns = turns.then(() => turn(body));
  return turns;
}

/** Known dice: the tiles of the chosen kind, and those that were tapped. */
function showKind() {
  const chosen = place.querySelector("select[name=kind]")?.value;
  for (const tiles of place.querySelectorAll("[data-kind]")) tiles.hidden = tiles.dataset.kind !== chosen;
}

function showTruth() {
  const list = place.querySelector(".chosen");
  list.replaceChildren(
    ...truth.map((die, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.remove = index;
      const tile = place.querySelector(`[data-kind="${die.kind}"] [data-face="${die.face}"]`);
      button.append(...[...tile.childNodes].map((node) => node.cloneNode(true)), " ×");
      return button;
    }),
  );
}

place.addEventListener("change", showKind);

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  // A tap on a label comes once more, as a click on its field.
  if (button || event.target.closest("input")) document.body.dataset.taps = taps += 1;
  if (!button) return;
  if (button.dataset.face) {
    truth.push({ kind: button.closest("[data-kind]").dataset.kind, face: button.dataset.face });
    showTruth();
  } else if (button.dataset.remove) {
    truth.splice(Number(button.dataset.remove), 1);
    showTruth();
  } else if (button.dataset.do) {
    button.disabled = true;
    // What is taken is what was seen, whatever lies there by the time the device hears of it.
    await then({ do: button.dataset.do, look: place.querySelector(".live")?.dataset.look });
    // Whether there is something to take is told by the next look.
    if (button.dataset.do !== "take") button.disabled = false;
  }
});

start.addEventListener("submit", (event) => {
  event.preventDefault();
  const plans = JSON.parse(start.dataset.plans);
  const steps = [...plans[new FormData(start).get("plan")]];
  if (start.elements.lens.checked) steps.push("lens");
  then({ do: "begin", steps });
});

then({ do: "state" }).then(() => {
  start.hidden = false;
});

for (;;) {
  await pause(BETWEEN_LOOKS_MS);
  if (place.querySelector(".live") && !document.hidden) await then({ do: "look" });
}
