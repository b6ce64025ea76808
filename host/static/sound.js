// Sound, where somebody has turned it on: a voice that says what is waited for, and cues for throws and turns.
// The voice is the phone's own, the cues are made of sine waves: nothing is loaded.

import { afterTouch, isOn, offer } from "./settings.js";

const board = document.getElementById("board");

/** Notes of each cue: frequency in Hz, start and length in seconds. */
const CUES = {
  applied: [[660, 0, 0.09], [880, 0.1, 0.14]],
  refused: [[220, 0, 0.18], [185, 0.2, 0.26]],
  turn: [[523, 0, 0.12], [659, 0.13, 0.12], [784, 0.26, 0.2]],
  over: [[523, 0, 0.15], [659, 0.16, 0.15], [784, 0.32, 0.15], [1047, 0.48, 0.4]],
};
const LOUDNESS = 0.18;

let audio = null;
let heard = look();

function say(text) {
  if (!isOn("caller") || !("speechSynthesis" in window)) return;
  const words = new SpeechSynthesisUtterance(text);
  words.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}

function play(cue) {
  if (!isOn("cues") || !audio) return;
  for (const [frequency, start, length] of CUES[cue]) {
    const from = audio.currentTime + start;
    const tone = new OscillatorNode(audio, { frequency });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.linearRampToValueAtTime(LOUDNESS, from + 0.01);
    volume.gain.linearRampToValueAtTime(0, from + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + length);
  }
}

/** What can be heard of the board as it is now. */
function look() {
  const mine = JSON.parse(board.dataset.seats ?? "[]");
  const throwPart = board.querySelector("[data-part=throw] figure");
  return {
    headline: document.getElementById("headline").textContent,
    reading: throwPart?.dataset.reading,
    status: throwPart?.dataset.status,
    isOver: board.querySelector(".prompt.over") !== null,
    isTurn: [...board.querySelectorAll(".seat.awaited .name")].some((name) => mine.includes(name.textContent.trim())),
  };
}

document.addEventListener("board-drawn", () => {
  const now = look();
  if (now.reading !== heard.reading && now.status) play(now.status === "applied" ? "applied" : "refused");
  if (now.isOver && !heard.isOver) play("over");
  else if (now.isTurn && !heard.isTurn) play("turn");
  if (now.headline !== heard.headline) say(now.headline);
  heard = now;
});

offer("caller", (on) => {
  if (on) afterTouch(() => say(heard.headline));
  else window.speechSynthesis?.cancel();
});
offer("cues", (on) => {
  if (!on) return;
  afterTouch(() => {
    audio ??= new AudioContext();
    audio.resume();
  });
});
