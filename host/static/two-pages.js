// Says so where a seat's controls are open on two pages. A seat belongs to one phone, so these are pages of one
// browser, and they hear each other without the host.

const section = document.getElementById("controls");
const pages = new BroadcastChannel(section.dataset.controls);
const self = crypto.getRandomValues(new Uint32Array(2)).join();
const others = new Set();

const notice = document.createElement("p");
notice.id = "twice";
notice.className = "sentence";
notice.setAttribute("role", "status");
notice.hidden = true;
section.prepend(notice);

pages.addEventListener("message", ({ data: { from, says } }) => {
  if (says === "closed") others.delete(from);
  else others.add(from);
  if (says === "opened") pages.postMessage({ from: self, says: "here" });
  notice.textContent = section.querySelector("[data-twice]").dataset.twice;
  notice.hidden = others.size === 0;
});
addEventListener("pageshow", () => pages.postMessage({ from: self, says: "opened" }));
addEventListener("pagehide", () => pages.postMessage({ from: self, says: "closed" }));
