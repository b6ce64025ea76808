// Dice of one's own: asks the device to look, and sends the names that are tapped.

import { ask, drawn } from "./appliance.js";

const place = document.getElementById("setting-up");

/** Sends one thing after another; the first that fails is said, and ends it. */
async function turn(...bodies) {
  const before = [...place.querySelectorAll("button:enabled")];
  for (const button of before) button.disabled = true;
  place.setAttribute("aria-busy", "true");
  try {
    for (const body of bodies) {
      const command = await ask("teach", body);
      const page = await drawn(`/teach/shown/${command.id}`);
      if (command.status === "failed") throw new Error(page.querySelector(".failed").textContent);
      if (body.do === "export") location.assign(`/teach/files/${command.id}`);
      else if (body === bodies.at(-1)) place.replaceChildren(page);
    }
  } catch (error) {
    say(error.message);
  }
  for (const button of before) button.disabled = false;
  place.setAttribute("aria-busy", "false");
}

function say(text) {
  place.querySelector(".failed")?.remove();
  const alert = Object.assign(document.createElement("p"), { className: "failed", textContent: text });
  alert.setAttribute("role", "alert");
  place.prepend(alert);
  alert.scrollIntoView({ block: "nearest" });
}

place.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button || button.form) return;
  const shown = place.querySelector("[data-set]")?.dataset;
  const set = shown?.set;
  const told = button.dataset;
  if ("open" in told) await turn({ do: "look", set: told.open });
  else if ("lookAgain" in told) await turn({ do: "look", set });
  else if ("name" in told) {
    const named = { do: "name", set, look: shown.look, place: Number(told.place), face: told.name };
    await turn(named, { do: "look", set });
  } else if ("forget" in told) await turn({ do: "forget", set, face: told.forget });
  else if ("use" in told) await turn({ do: "use", set, is_used: told.use === "true" });
  else if ("export" in told) await turn({ do: "export", set });
  else if ("sets" in told) await turn({ do: "sets" });
  else if ("delete" in told && confirm(place.dataset.sure)) await turn({ do: "delete", set });
});

place.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const set = form.elements.set.value.trim();
  if ("make" in form.dataset) {
    const [kind, body] = form.elements.kind.value.split("|");
    await turn({ do: "make", set, kind, body: body ?? null });
  } else {
    const [file] = form.elements.file.files;
    if (file.size > Number(place.dataset.most)) return say(place.dataset.tooLarge);
    await turn({ do: "import", set, file: await file.text() });
  }
});

await turn({ do: "sets" });
