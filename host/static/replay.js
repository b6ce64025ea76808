// In a replay the arrow keys do what the links do.

const RELATIONS = { ArrowLeft: "prev", ArrowRight: "next" };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, button, details")) return;
  const link = document.querySelector(`.replay a[rel="${RELATIONS[event.key]}"]`);
  if (link) location.replace(link.href);
});

for (const time of document.querySelectorAll("time[datetime]")) {
  time.textContent = new Date(time.dateTime).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}
