// Says what the camera is doing, in this phone's language: the stream brings the state's name, the page has the words.

const line = document.getElementById("device");
const sentences = JSON.parse(line.dataset.sentences);
const details = JSON.parse(line.dataset.details);
const banner = document.getElementById("safe-mode");
const reasons = JSON.parse(banner.dataset.reasons);

let told = 0;

function show(seen) {
  const text = details[seen.detail] ?? sentences[seen.state] ?? seen.sentence;
  if (line.textContent !== text) line.textContent = text;
  line.dataset.state = seen.state;
  line.classList.toggle("fault", seen.is_fault);
  banner.hidden = seen.state !== "safe-mode";
  banner.querySelector("span").textContent = reasons[seen.detail] ?? seen.detail;
}

/** What was told while the stream was down is asked for. */
async function ask() {
  const before = told;
  try {
    const answer = await fetch("/api/v1/device/state", { cache: "no-store" });
    const seen = await answer.json();
    // What the stream has told since is newer.
    if (answer.ok && told === before) show(seen);
  } catch {
    // The board says that the connection is lost.
  }
}

document.addEventListener("device-changed", (event) => {
  told += 1;
  show(event.detail);
});
document.addEventListener("stream-opened", ask);
