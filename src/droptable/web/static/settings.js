// @ts-check
// What somebody has chosen on this device: keys and defaults, and word of every change.

import { Emitter } from "./events.js";

/** The values of each setting, the default first. */
const CHOICES = {
  theme: ["", "light", "dark"], // empty: as the device
  sound: ["on", "off"],
  volume: ["60", "0", "20", "40", "80", "100"],
  speed: ["normal", "off", "quick", "slow"],
  confirm: ["touch", "never", "always"],
};

/** @typedef {keyof typeof CHOICES} Setting */

/** What durations are multiplied by. @type {Record<string, number>} */
const FACTORS = { off: 0, quick: 0.5, normal: 1, slow: 1.8 };

/** Tells which setting has changed. @type {Emitter<{ change: Setting }>} */
export const settings = new Emitter();

/** @param {Setting} name */
export function setting(name) {
  const stored = localStorage.getItem(name) ?? "";
  return CHOICES[name].includes(stored) ? stored : CHOICES[name][0];
}

/**
 * Choose; the default is not stored, so that it may change in a later version.
 * @param {Setting} name
 * @param {string} value
 */
export function choose(name, value) {
  if (value === CHOICES[name][0]) localStorage.removeItem(name);
  else localStorage.setItem(name, value);
  settings.emit("change", name);
}

/** What the duration of a beat or motion is multiplied by: 0 if nothing shall move. */
export function speedFactor() {
  return FACTORS[setting("speed")];
}

/**
 * Whether a move made by this pointer (`mouse`, `touch`, `pen`, `keyboard`) waits for a yes.
 * @param {string} pointerType
 */
export function confirmMoves(pointerType) {
  const wanted = setting("confirm");
  return wanted === "always" || (wanted === "touch" && pointerType === "touch");
}
