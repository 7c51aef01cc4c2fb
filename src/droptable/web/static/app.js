// @ts-check
// The page as an app on this device: its worker, its badge, and the offer to install it.

import { get } from "./api.js";

/** @typedef {Event & { prompt: () => Promise<unknown> }} InstallPrompt */

/** @type {InstallPrompt | null} */
let offered = null;

/** Let the worker of this version take care of a lost connection. */
export function startWorker() {
  navigator.serviceWorker?.register("sw.js").catch(() => {
    // not allowed here (no TLS, or a private window): everything else works without
  });
}

/** Whether this device offers to install the app. */
export function canInstall() {
  return offered !== null;
}

export function install() {
  return offered?.prompt();
}

/**
 * Show on the app's icon how many tables wait for me.
 * @param {number} turns
 */
export function showBadge(turns) {
  const shown = turns ? navigator.setAppBadge?.(turns) : navigator.clearAppBadge?.();
  shown?.catch(() => {
    // not installed: there is no icon to show it on
  });
}

/** Count anew what waits for me, when the page is left for a while. */
async function countTurns() {
  if (!document.hidden || !("setAppBadge" in navigator)) return;
  const mine = await get("tables", { which: "mine", limit: 30 }).catch(() => []);
  showBadge(mine.filter((table) => table.turn).length);
}

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault(); // offered in the settings instead of over the match
  offered = /** @type {InstallPrompt} */ (event);
});
document.addEventListener("visibilitychange", countTurns);
