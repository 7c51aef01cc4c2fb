// @ts-check
// Every seat's chances over a match: a line each, and marks where something was lost.

import { t } from "./i18n.js";
import { SYMBOLS } from "./seats.js";
import { svg } from "./svg.js";

/** @import { Decision, Match } from "./types.d.ts" */

const WIDTH = 340;
const HEIGHT = 178;
const LEFT = 40;
const RIGHT = 18;
const TOP = 10;
const BOTTOM = 28;
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "5 5", "12 3"]; // colour is not the only sign

/** @typedef {[at: number, share: number]} Point */

export class Chart {
  #match;
  #cursor = svg("line", { class: "cursor", y1: TOP, y2: HEIGHT - BOTTOM });
  #top = 1; // the share at the upper edge

  /**
   * @param {Match} match
   * @param {(at: number) => unknown} go
   */
  constructor(match, go) {
    this.#match = match;
    this.element = svg("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "chart",
      tabindex: "0",
      role: "slider",
      "aria-label": t("Chances over the match"),
      "aria-valuemin": 0,
      "aria-valuemax": match.length,
      hidden: "",
    });
    this.element.addEventListener("pointerdown", (event) => {
      go(markAt(event.target) ?? this.#momentAt(event));
    });
    this.element.addEventListener("pointermove", (event) => {
      if (event.buttons === 1) go(this.#momentAt(event));
    });
  }

  /** @param {Decision[]} decisions */
  draw(decisions) {
    if (!decisions.length) return;
    const alone = this.#match.players === 1;
    const shares = decisions.flatMap(({ before, after }) => [...before, ...after]);
    this.#top = alone ? Math.max(0.2, ...shares) : 1;
    const lines = this.#match.names.map((_, seat) => this.#points(decisions, seat));
    const heights = apart(lines.map((points) => this.#y(points[points.length - 1][1])));
    this.element.replaceChildren(
      ...[0, 0.5, 1].flatMap((part) => this.#gridLine(part, alone)),
      svg(
        "text",
        { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, class: "axis" },
        alone ? t("expected score, from start to end") : t("chance to win, from start to end"),
      ),
      ...lines.map((points, seat) => this.#line(points, seat)),
      ...heights.map((height, seat) => seatSign(seat, height)),
      this.#cursor,
      ...decisions.filter(({ mark }) => mark).map((decision) => this.#mark(decision)),
    );
    this.element.removeAttribute("hidden");
  }

  /**
   * Show where we are, to eyes and to screen readers.
   * @param {number} at
   * @param {number[] | null} chances
   */
  at(at, chances) {
    for (const end of ["x1", "x2"]) this.#cursor.setAttribute(end, String(this.#x(at)));
    const percents = chances?.map(
      (share, seat) => `${this.#match.names[seat]} ${Math.round(share * 100)}`,
    );
    this.element.setAttribute("aria-valuenow", String(at));
    this.element.setAttribute(
      "aria-valuetext",
      percents ? `${at}: ${percents.join(", ")}` : `${at}`,
    );
  }

  /** @param {number} at */
  #x(at) {
    return LEFT + (at / Math.max(this.#match.length, 1)) * (WIDTH - LEFT - RIGHT);
  }

  /** @param {number} share */
  #y(share) {
    return TOP + (1 - share / this.#top) * (HEIGHT - TOP - BOTTOM);
  }

  /**
   * The moment that is pointed at.
   * @param {PointerEvent} event
   */
  #momentAt(event) {
    const { length } = this.#match;
    const screen = new DOMPoint(event.clientX, event.clientY);
    const { x } = screen.matrixTransform(this.element.getScreenCTM()?.inverse());
    const at = Math.round(((x - LEFT) / (WIDTH - LEFT - RIGHT)) * length);
    return Math.min(Math.max(at, 0), length);
  }

  /**
   * What a seat could expect after each decision, and what it got in the end.
   * @param {Decision[]} decisions
   * @param {number} seat
   * @returns {Point[]}
   */
  #points(decisions, seat) {
    const { over, players, winners, length } = this.#match;
    /** @type {Point[]} */
    const points = decisions.map(({ until, after }) => [until, after[seat]]);
    points.sort((a, b) => a[0] - b[0]); // turns may overlap
    points.unshift([0, decisions[0].before[seat]]);
    if (over && players > 1) points.push([length, winners.includes(seat) ? 1 / winners.length : 0]);
    return points;
  }

  /**
   * @param {number} part of the height
   * @param {boolean} alone
   */
  #gridLine(part, alone) {
    const y = this.#y(part * this.#top);
    const label = alone ? String(Math.round(part * this.#top * 100)) : `${part * 100} %`;
    return [
      svg("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }),
      svg("text", { x: LEFT - 4, y: y + 4, class: "scale" }, label),
    ];
  }

  /**
   * @param {Point[]} points
   * @param {number} seat
   */
  #line(points, seat) {
    return svg("polyline", {
      points: points
        .map((p) => `${this.#x(p[0]).toFixed(1)},${this.#y(p[1]).toFixed(1)}`)
        .join(" "),
      class: `chances of-${seat}`,
      "stroke-dasharray": DASHES[seat % DASHES.length],
    });
  }

  /**
   * A circle for a mistake, a square on its corner for a blunder.
   * @param {Decision} decision
   */
  #mark({ event, until, seat, mark, after }) {
    const x = this.#x(until).toFixed(1);
    const y = this.#y(after[seat]).toFixed(1);
    const look = { class: `lost of-${seat}` };
    const square = { x: -5, y: -5, width: 10, height: 10, transform: "rotate(45)" };
    return svg(
      "g",
      { transform: `translate(${x} ${y})`, "data-event": event },
      svg("circle", { r: 9, class: "reach" }),
      mark === "blunder" ? svg("rect", { ...square, ...look }) : svg("circle", { r: 4.5, ...look }),
    );
  }
}

/**
 * The moment of the decision whose mark is touched. A mark stands at what came of it, later.
 * @param {EventTarget | null} target
 */
function markAt(target) {
  const event =
    target instanceof Element && target.closest("[data-event]")?.getAttribute("data-event");
  return event ? Number(event) : null;
}

/**
 * @param {number} seat
 * @param {number} height
 */
function seatSign(seat, height) {
  const place = { x: WIDTH - RIGHT + 9, y: height + 4, class: `sign of-${seat}` };
  return svg("text", place, SYMBOLS[seat]);
}

/**
 * Heights moved so far apart that signs at them do not overlap.
 * @param {number[]} heights
 */
function apart(heights, least = 12) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const moved = [...heights];
  for (let i = order.length - 2; i >= 0; i--)
    moved[order[i]] = Math.min(moved[order[i]], moved[order[i + 1]] - least);
  for (let i = 1; i < order.length; i++)
    moved[order[i]] = Math.max(moved[order[i]], moved[order[i - 1]] + least);
  return moved;
}
