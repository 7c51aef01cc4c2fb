// @ts-check
// Opening a table at once: alone, or against bots of the level that was last chosen.

import { messageOf, post } from "./api.js";
import { notify } from "./dom.js";
import { contribute } from "./fair.js";
import { introduce } from "./names.js";
import { BOTS } from "./seats.js";

/** @import { Game, TableSettings } from "./types.d.ts" */

const LEVEL = "bots"; // the key in localStorage
let opening = false; // a second click opens no second table

export function level() {
  const chosen = localStorage.getItem(LEVEL) ?? "";
  return BOTS.includes(chosen) ? chosen : "normal";
}

/** @param {string} chosen */
export function chooseLevel(chosen) {
  localStorage.setItem(LEVEL, chosen);
}

/**
 * One click: a table with bots at the other seats.
 * @param {Pick<Game, "name" | "players">} game
 */
export function playNow({ name, players }) {
  const count = players.find((seats) => seats > 1) ?? players[0];
  return start({ game: name, seats: ["me", ...Array(count - 1).fill(level())] });
}

/** @param {Game} game */
export function playSolo(game) {
  return start({ game: game.name, seats: ["me"] });
}

/** @param {TableSettings} settings */
async function start(settings) {
  try {
    await openTable(settings);
  } catch (error) {
    notify(messageOf(error), 8);
  }
}

/**
 * Open a table and go there; a refusal is an error to show.
 * @param {TableSettings} settings
 * @param {"tables" | `groups/${string}/tables`} path
 */
export async function openTable(settings, path = "tables") {
  if (opening) return;
  opening = true;
  try {
    await introduce();
    const opened = await post(path, { ...settings, contribute: true });
    await contribute(opened);
    location.href = `t/${opened.table}`;
  } finally {
    opening = false;
  }
}
