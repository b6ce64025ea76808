// On a table's page: says when a seat went to another phone, and lets a phone that got one play at once.

import { inOrder } from "./in-order.js";

const board = document.getElementById("board");
const moved = document.getElementById("moved");

const look = inOrder(async () => {
  const answer = await fetch("/api/v1/phone", { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const { seats } = await answer.json();
  const now = seats.filter((seat) => seat.table === board.dataset.table).map((seat) => seat.player);
  const before = JSON.parse(board.dataset.seats);
  const lost = before.filter((player) => !now.includes(player));
  if (lost.length) {
    moved.textContent = `${board.dataset.seatGone} ${lost.join(", ")}`;
    moved.hidden = false;
    document.getElementById("controls")?.remove();
  } else if (now.length > before.length) {
    location.reload();
  }
});

document.addEventListener("seats-changed", look);
