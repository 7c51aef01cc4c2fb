// @ts-check
// Fair dealing: what this browser contributes and remembers, and its own check of a deal.
// docs/fairness.md describes the generator.

import { get, messageOf, post } from "./api.js";
import { ask, fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";

/** @import { DealReport, TableState } from "./types.d.ts" */

const KEPT = "fair"; // the key in localStorage
const MOST_KEPT = 50; // tables
const SPAN = 2n ** 256n; // numbers that a block can be

/** @typedef {{ table: string, commitment: string, contribution: string }} Note */

/** @returns {Note[]} */
function notes() {
  return JSON.parse(localStorage.getItem(KEPT) ?? "[]");
}

/**
 * Randomness of this browser for a table, remembered with what the host has promised.
 * @param {string} table
 * @param {string | undefined} commitment older tables have none
 */
export function contribution(table, commitment) {
  if (!commitment) return {};
  const known = notes().find((note) => note.table === table && note.commitment === commitment);
  if (known) return { contribution: known.contribution };
  const note = { table, commitment, contribution: hex(crypto.getRandomValues(new Uint8Array(16))) };
  localStorage.setItem(KEPT, JSON.stringify([...notes(), note].slice(-MOST_KEPT)));
  return { contribution: note.contribution };
}

/**
 * Contribute to a table that was just opened, which then starts if it is full. Should it fail, the
 * table's page does it.
 * @param {{ table: string, commitment: string }} opened
 */
export async function contribute({ table, commitment }) {
  const command = /** @type {const} */ ({ type: "join", ...contribution(table, commitment) });
  await post(`tables/${table}/commands`, { id: "contribution", command }).catch(() => {});
}

/**
 * A line that says what the host has promised, and explains it when it is pressed.
 * @param {TableState} state
 */
export function fairLine({ fairness }) {
  if (!fairness) return null;
  const start = fairness.commitment.slice(0, 8);
  return h(
    "button",
    { class: "fair plain", type: "button", onclick: () => explain(fairness.commitment) },
    t("Dealt fairly: commitment {start}…", { start }),
  );
}

/** @param {string} commitment */
function explain(commitment) {
  const body = h(
    "div",
    {},
    h(
      "p",
      {},
      t(
        "The host draws a secret before the match and shows its fingerprint. Every player's device adds randomness. All cards and dice follow from both, so nobody can choose them. After the match, the replay page can verify it.",
      ),
    ),
    h("p", { class: "fingerprint" }, commitment),
  );
  return ask(t("Fair dealing"), body, [{ label: t("Done"), value: true, main: true }]);
}

/**
 * A button that verifies a match, and what it found.
 * @param {string} key of the replay
 * @param {string} place the table's id, or the key of an uploaded record
 */
export function verifyBox(key, place) {
  const found = h("p", { role: "status" });
  /** @param {{ currentTarget: HTMLButtonElement }} event */
  async function check({ currentTarget: button }) {
    button.disabled = true;
    try {
      const { table: _table, ...noted } = notes().find((note) => note.table === place) ?? {};
      const report = await get(`replays/${key}/verify`, noted);
      fill(found, report.message, " ", await checkedHere(report));
    } catch (error) {
      fill(found, messageOf(error));
    }
    button.disabled = false;
  }
  return h(
    "div",
    { class: "verify card-box" },
    h("h2", {}, t("Fair dealing")),
    h("button", { type: "button", onclick: check }, icon("check"), t("Verify the deal")),
    found,
  );
}

/**
 * What this browser says of a report, where it can compute hashes (pages from HTTPS, or locally).
 * @param {DealReport} report
 */
async function checkedHere(report) {
  if (!report.fair || !report.fairness) return "";
  if (!report.deals || !globalThis.crypto?.subtle) return t("Checked on the server.");
  const wrong = await firstWrong(report.fairness, report.deals);
  if (wrong === null) return t("Checked on the server and in this browser.");
  return t("But this browser computes something else: event {number} does not follow.", {
    number: wrong,
  });
}

/**
 * The first event that does not follow from secret and contributions; -1: the commitment itself.
 * @param {NonNullable<DealReport["fairness"]>} fairness
 * @param {NonNullable<DealReport["deals"]>} deals
 */
export async function firstWrong({ generator, commitment, secret, contributions }, deals) {
  if (hex(await sha256(bytes(secret))) !== commitment) return -1;
  const given = (contributions ?? []).map(({ value }) => value.toLowerCase()).sort();
  const parts = given.flatMap((value) => [value.length / 2, ...bytes(value)]);
  const name = new TextEncoder().encode(generator);
  const seed = await sha256(new Uint8Array([...name, 0, ...bytes(secret), ...parts]));
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", seed, hmac, false, ["sign"]);
  for (const [number, { event, outcomes, token }] of deals.entries())
    if ((await drawn(key, number, outcomes)) !== token) return event;
  return null;
}

/**
 * @param {CryptoKey} key
 * @param {number} number of the deal
 * @param {[string, number][]} outcomes with weights that have no common factor, by their tokens
 */
async function drawn(key, number, outcomes) {
  const total = BigInt(outcomes.reduce((sum, [, weight]) => sum + weight, 0));
  let block = SPAN;
  for (let attempt = 0; block >= SPAN - (SPAN % total); attempt++) {
    const message = new DataView(new ArrayBuffer(21));
    for (const [at, byte] of [..."deal"].entries()) message.setUint8(at, byte.charCodeAt(0));
    message.setBigUint64(5, BigInt(number));
    message.setBigUint64(13, BigInt(attempt));
    block = BigInt(`0x${hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, message)))}`);
  }
  let left = block % total;
  for (const [token, weight] of outcomes) {
    left -= BigInt(weight);
    if (left < 0n) return token;
  }
  return null;
}

/** @param {Uint8Array<ArrayBuffer>} data */
async function sha256(data) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", data));
}

/** @param {string} text in hexadecimal */
function bytes(text) {
  return new Uint8Array((text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}

/** @param {Uint8Array} data */
function hex(data) {
  return [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
