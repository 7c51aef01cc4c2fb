// @ts-check
// How a seat is recognised on pages: a bot's face or a person's initial, in a ring of the seat's
// colour, with the seat's symbol at its edge.

import { classes, h } from "./dom.js";
import { SYMBOLS } from "./seats.js";

/** @import { Seat } from "./types.d.ts" */

/**
 * @param {Pick<Seat, "name" | "people" | "bot" | "face">} seat
 * @param {number} number
 */
export function seatFace(seat, number) {
  const free = !seat.bot && seat.people.length === 0;
  return h(
    "span",
    { class: classes("face", `mark-${number}`, free && "free"), "aria-hidden": "true" },
    seat.face
      ? h("img", { src: `api/faces/${seat.face}.svg`, alt: "", width: 40, height: 40 })
      : h("span", { class: "initial" }, free ? "" : [...seat.name][0]?.toUpperCase()),
    h("span", { class: "face-symbol" }, SYMBOLS[number]),
  );
}
