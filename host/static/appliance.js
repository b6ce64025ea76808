// Asks the device to do something and waits for what comes of it; draws the host's page of it into a place.

const ID_BYTES = 16;
const LOOK_MS = 150;

function newId() {
  // crypto.randomUUID exists on HTTPS alone.
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

async function json(answer) {
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.detail);
  return told;
}

/** The command once it has ended; throws an Error with a sentence where nobody answers. */
export async function ask(type, body) {
  const id = newId();
  let command;
  try {
    command = await json(
      await fetch("/api/v1/device/commands", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ id, type, ...body }),
      }),
    );
    while (command.status === "waiting") {
      await pause(LOOK_MS);
      command = await json(await fetch(`/api/v1/device/commands/${id}`, { cache: "no-store" }));
    }
  } catch (error) {
    throw error instanceof TypeError ? new Error(document.body.dataset.noAnswer) : error;
  }
  return command;
}

/** The host's page of a command's outcome, its pictures loaded. */
export async function drawn(address) {
  const answer = await fetch(address, { cache: "no-store" });
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  const pictures = [...holder.content.querySelectorAll("img")];
  await Promise.allSettled(pictures.map((picture) => Object.assign(new Image(), { src: picture.src }).decode()));
  return holder.content;
}
