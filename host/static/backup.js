// Sends a backup to the host, which looks at it and begins anew with it, or says in a sentence why not.

const form = document.getElementById("restore");

const RESTART_MS = 4000;

function say(text) {
  const alert = form.querySelector("[role=alert]");
  alert.textContent = text;
  alert.hidden = !text;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [file] = form.querySelector("input").files;
  if (file.size > Number(form.dataset.most)) return say(form.dataset.tooLarge);
  if (!confirm(form.dataset.sure)) return;
  const button = form.querySelector("button");
  button.disabled = true;
  say(form.dataset.working);
  try {
    const answer = await fetch(form.dataset.put, {
      method: "PUT",
      headers: { "Content-Type": "application/zip" },
      body: file,
    });
    say(answer.ok ? form.dataset.done : (await answer.json()).detail);
    if (answer.ok) setTimeout(() => location.assign("/history"), RESTART_MS);
  } catch {
    say(form.dataset.noAnswer);
  }
  button.disabled = false;
});
