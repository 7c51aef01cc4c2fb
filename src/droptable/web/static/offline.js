// @ts-check
// Without a connection: try again when the device has one, and every few seconds. It imports
// nothing, because nothing else could be loaded.

const SECONDS = 5;

async function tryAgain() {
  const answer = await fetch("api/games", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}

addEventListener("online", tryAgain);
document.querySelector("button")?.addEventListener("click", tryAgain);
setInterval(tryAgain, 1000 * SECONDS);
