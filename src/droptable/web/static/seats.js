// @ts-check
// The seats of a table: colour and symbol, name, who plays, presence, clock and score.

import { classes, h } from "./dom.js";
import { t, tn } from "./i18n.js";
import { icon } from "./icons.js";

/** @import { Clocks, Seat, TableState } from "./types.d.ts" */

export const BOTS = ["easy", "normal", "hard", "master"]; // that people can seat
export const SYMBOLS = ["●", "■", "▲", "✚", "★", "◯"]; // as in the pictures

/** @param {number} seat */
export function seatMark(seat) {
  return h("span", { class: `mark mark-${seat}`, "aria-hidden": "true" }, SYMBOLS[seat]);
}

/**
 * @param {TableState} state
 * @param {(seat: number) => unknown} onFocus
 */
export function seatPanels(state, onFocus) {
  return state.seats.map((seat, number) => seatPanel(state, seat, number, onFocus));
}

/**
 * @param {TableState} state
 * @param {Seat} seat
 * @param {number} number
 * @param {(seat: number) => unknown} onFocus
 */
function seatPanel(state, seat, number, onFocus) {
  const who = whoPlays(seat);
  const won = state.result?.winners.includes(number);
  return h(
    "button",
    {
      class: classes(
        "seat",
        state.to_act.includes(number) && "acting",
        number === state.seat && "mine",
        (seat.stand_in || !isHere(seat)) && "away",
        seat.resigned && "resigned",
        won && "winner",
      ),
      type: "button",
      title: [t("Look at this seat"), who].filter(Boolean).join(" · "),
      onclick: () => onFocus(number),
    },
    seatMark(number),
    h(
      "span",
      { class: "who" },
      h("span", { class: "name" }, seat.name),
      " ",
      who && h("span", { class: "soft" }, who),
    ),
    state.clocks && h("span", { class: "clock", "data-seat": number }),
    state.scores && h("span", { class: "score", title: t("Score") }, String(state.scores[number])),
    won && h("span", { title: t("Winner"), class: "trophy" }, icon("trophy")),
  );
}

/** @param {Seat} seat */
export function isHere(seat) {
  return seat.people.length === 0 || seat.present.some(Boolean);
}

/**
 * Who plays besides, or in place of, the person whose name is shown.
 * @param {Seat} seat
 */
function whoPlays(seat) {
  if (seat.bot) return t(seat.bot);
  if (seat.stand_in) return t("{level} plays for them", { level: t(seat.stand_in) });
  return isHere(seat) ? "" : t("away");
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
