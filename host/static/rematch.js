// On a table's page whose game is over: asks for a rematch, and leads the phone to it without a tap.
// A page that was opened when there was a rematch already only shows the way: it may be there to look at the end.

import { inOrder } from "./in-order.js";

const board = document.getElementById("board");
const rematch = document.getElementById("rematch");

let opened = null;

const look = inOrder(async () => {
  const answer = await fetch(rematch.dataset.rematch, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  rematch.replaceChildren(...new DOMParser().parseFromString(await answer.text(), "text/html").body.children);
  opened ??= Boolean(rematch.querySelector("[data-next]"));
});

document.addEventListener("board-drawn", () => {
  // Also once an undo has taken the end back: then there is nothing to ask for any more.
  if (board.querySelector("[data-over]") || rematch.childElementCount) look();
});
document.addEventListener("rematch-changed", (event) => {
  const { next } = event.detail;
  if (next && opened === false) location.assign(`/tables/${next}`);
  else look();
});

look();
