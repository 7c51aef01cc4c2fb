// @ts-check
// The seats of a table: colour and symbol, and what the picture does not say about them.

import { classes, h } from "./dom.js";
import { t, tn } from "./i18n.js";

/** @import { Clocks, Seat, TableState } from "./types.d.ts" */

/** Levels that people can seat, from the weakest up. @type {string[]} */
export const BOTS = JSON.parse(document.documentElement.dataset.levels ?? "[]");
/** Bots that the host of this server brings, by name. @type {string[]} */
export const OWN_BOTS = JSON.parse(document.documentElement.dataset.bots ?? "[]");
export const SYMBOLS = ["●", "■", "▲", "✚", "★", "◯"]; // as in the pictures

/** @param {number} seat */
export function seatMark(seat) {
  return h("span", { class: `mark mark-${seat}`, "aria-hidden": "true" }, SYMBOLS[seat]);
}

/**
 * What there is to say about the seats that the picture does not say: clocks, who is away, who plays
 * for whom, who resigned. Seats without anything are left out.
 * @param {TableState} state
 */
export function seatStrip(state) {
  return state.seats.map((seat, number) => {
    const news = newsOf(seat);
    if (!state.clocks && !news) return null;
    return h(
      "li",
      {
        class: classes(
          "seat",
          state.to_act.includes(number) && "acting",
          number === state.seat && "mine",
          (seat.stand_in || isAway(seat)) && "away",
          seat.resigned && "resigned",
        ),
        "data-key": number,
      },
      seatMark(number),
      h("span", { class: "name" }, seat.name),
      news && h("span", { class: "news-of" }, news),
      state.clocks && h("span", { class: "clock", "data-seat": number }),
    );
  });
}

/**
 * The seats of people on this device, if there are several; else none.
 * @param {TableState | null} state
 */
export function sharedSeats(state) {
  const held = state?.you?.seats ?? [];
  return held.length > 1 ? held : [];
}

/**
 * For whom a request asks, who may hold several seats.
 * @param {number | null | undefined} seat
 * @returns {{ seat?: number }}
 */
export function asSeat(seat) {
  return seat === null || seat === undefined ? {} : { seat };
}

/** @param {Seat} seat */
export function isHere(seat) {
  return seat.people.length === 0 || seat.present.some(Boolean);
}

/**
 * Whether somebody of a seat is not here.
 * @param {Seat} seat
 */
function isAway(seat) {
  return seat.people.length > 0 && !seat.present.every(Boolean);
}

/** @param {Seat} seat */
function newsOf(seat) {
  if (seat.stand_in) {
    const level = t(seat.stand_in);
    return seat.resigned
      ? t("resigned: a bot ({level}) plays on", { level })
      : t("away: a bot ({level}) plays", { level });
  }
  if (seat.resigned) return t("resigned");
  if (!isHere(seat)) return t("away");
  const gone = seat.people.filter((_, number) => !seat.present[number]);
  return gone.length ? t("{names} away", { names: gone.join(", ") }) : "";
}

/**
 * Let the clocks of a state run in these panels; returns how to stop them.
 * @param {Element} box
 * @param {Clocks | null} clocks
 */
export function runClocks(box, clocks) {
  if (!clocks) return () => {};
  const start = performance.now();
  const show = () => {
    const gone = (performance.now() - start) / 1000;
    for (const clock of box.querySelectorAll(".clock")) {
      const seat = Number(clock.getAttribute("data-seat"));
      const running = clocks.running[seat];
      const left = Math.max(0, clocks.left[seat] - (running ? gone : 0));
      clock.textContent = inWords(left);
      clock.classList.toggle("soon", left < 20 && running);
    }
  };
  show();
  const timer = setInterval(show, 500);
  return () => clearInterval(timer);
}

/** @param {number} seconds */
function inWords(seconds) {
  if (seconds >= 172800) return tn("{count} day", "{count} days", Math.floor(seconds / 86400));
  if (seconds >= 7200) return t("{count} h", { count: Math.floor(seconds / 3600) });
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
