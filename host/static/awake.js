// Keeps the screen awake: by the wake lock where the page came over HTTPS, else by a small black video without a sound,
// which plays in a corner for as long as the setting is on; phones and TVs do not fall asleep over a video.

import { afterTouch, offer } from "./settings.js";

const VIDEOS = { "video/webm": "awake.webm", "video/mp4": "awake.mp4" };

let wanted = false;
let lock = null;
let video = null;

async function hold() {
  if (!wanted || document.visibilityState !== "visible") return;
  if (navigator.wakeLock) {
    try {
      lock = await navigator.wakeLock.request("screen");
      return;
    } catch {
      // A phone that saves power refuses it; it may still play a video.
    }
  }
  video ??= newVideo();
  video.play().catch(() => afterTouch(() => wanted && video.play().catch(() => {})));
}

function newVideo() {
  const made = document.createElement("video");
  Object.assign(made, { loop: true, playsInline: true, className: "awake", tabIndex: -1 });
  made.setAttribute("aria-hidden", "true");
  for (const [type, name] of Object.entries(VIDEOS)) {
    const source = document.createElement("source");
    Object.assign(source, { type, src: new URL(name, import.meta.url).href });
    made.append(source);
  }
  document.body.append(made);
  return made;
}

function letGo() {
  lock?.release();
  lock = null;
  video?.remove();
  video = null;
}

offer("awake", (on) => {
  wanted = on;
  if (on) hold();
  else letGo();
});
document.addEventListener("visibilitychange", hold);
