// Sends forms as JSON: <form data-post="/api/v1/…" data-body='{…}'>. What the host refuses is said inside the form.
// data-id: the message needs an id, which stays the same until there is an answer, so that it counts once.
// data-then: where to go afterwards; {table} is the answer's. An answer's code is shown in the form's <output>.
// method="dialog" keeps what was typed out of addresses should a form be sent before this script is there.

const ID_BYTES = 16;

function newId() {
  // crypto.randomUUID exists on HTTPS alone.
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bodyOf(form, submitter) {
  const body = JSON.parse(form.dataset.body ?? "{}");
  if (submitter?.name) body[submitter.name] = submitter.value;
  for (const field of form.elements) {
    if (field.tagName !== "INPUT" || !field.name || (field.type === "number" && !field.value)) continue;
    const value = field.type === "checkbox" ? field.checked : field.type === "number" ? field.valueAsNumber : field.value;
    const [group, name] = field.name.split(".");
    if (name) (body[group] ??= {})[name] = value;
    else body[group] = value;
  }
  if ("id" in form.dataset) body.id = form.dataset.id ||= newId();
  return body;
}

function say(form, text) {
  const alert = form.querySelector("[role=alert]") ?? document.getElementById("why");
  alert.textContent = text;
  alert.hidden = !text;
}

async function send(form, submitter) {
  const buttons = form.querySelectorAll("button");
  for (const button of buttons) button.disabled = true;
  say(form, "");
  try {
    const answer = await fetch(form.dataset.post, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(bodyOf(form, submitter)),
    });
    const told = await answer.json();
    if ("id" in form.dataset && answer.status < 500) form.dataset.id = "";
    if (!answer.ok) {
      say(form, told.detail);
    } else if (form.dataset.then) {
      location.assign(form.dataset.then.replace("{table}", told.table));
      return;
    } else if (told.code) {
      const output = form.querySelector("output");
      if (output) output.textContent = told.code;
    }
  } catch {
    say(form, document.body.dataset.noAnswer);
  }
  for (const button of buttons) button.disabled = false;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.post) return;
  event.preventDefault();
  if (!form.dataset.sure || confirm(form.dataset.sure)) send(form, event.submitter);
});

document.documentElement.dataset.ready = "";
