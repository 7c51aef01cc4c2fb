// @ts-check
// People where others meet them: names that lead to profiles, with ratings.

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { seatMark } from "./seats.js";

/** @import { Rating, SeatedPerson, TableState } from "./types.d.ts" */

const PLACE = "people-here";
let key = ""; // of whom `seated` tells
/** @type {SeatedPerson[][]} */
let seated = [];
/** @type {number[]} */
let mine = []; // seats

/**
 * The people at a table with their ratings; oneself only with a rating. They are asked for once,
 * and again when others sit down or the match has ended.
 * @param {TableState} state
 */
export function peopleHere(state) {
  const names = state.seats.map(({ people }) => people);
  const now = JSON.stringify([state.table, state.status, names]);
  mine = state.you?.seats ?? [];
  if (now !== key) {
    key = now;
    seated = [];
    if (names.flat().length)
      get(`tables/${state.table}/people`).then(
        (found) => {
          if (now !== key) return;
          seated = found;
          const place = document.getElementById(PLACE);
          if (place) fill(place, lines());
        },
        () => {}, // no connection: the table is complete without
      );
  }
  return h("ul", { id: PLACE, class: "people-here", "aria-label": t("Profiles") }, lines());
}

function lines() {
  return seated.flatMap((people, seat) =>
    people
      .filter(({ id, rating }) => id && (rating || !mine.includes(seat)))
      .map(({ id, name, rating }) =>
        h(
          "li",
          {},
          seatMark(seat),
          h("a", { href: `p/${id}` }, name),
          rating && h("small", { class: "soft" }, inNumbers(rating)),
        ),
      ),
  );
}

/**
 * A rating with its uncertainty: "1530 ± 60".
 * @param {Pick<Rating, "number" | "uncertainty">} rating
 */
export function inNumbers({ number, uncertainty }) {
  return t("{number} ± {uncertainty}", { number, uncertainty });
}

/** @param {number} share */
export function percent(share) {
  return t("{percent} %", { percent: Math.round(100 * share) });
}
