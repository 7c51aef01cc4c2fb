// The chances of all seats over a match: a line each, marks where something was lost.
import { seatMark } from "./seats.js";
import { t } from "./i18n.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 340,
  HEIGHT = 178,
  LEFT = 40,
  RIGHT = 18,
  TOP = 10,
  BOTTOM = 28;
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "5 5", "12 3"]; // colour is not the only sign

function el(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export class Chart {
  #match;
  #cursor = el("line", { class: "cursor", y1: TOP, y2: HEIGHT - BOTTOM });
  #top = 1;

  constructor(match, go) {
    this.#match = match;
    this.element = el("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "chart",
      tabindex: "0",
      role: "slider",
      "aria-label": t("Chances over the match"),
      "aria-valuemin": 0,
      "aria-valuemax": match.length,
    });
    this.element.setAttribute("hidden", "");
    const jump = (event) => {
      const mark = event.target.closest("[data-event]"); // a mark is at its decision, a line after it
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(
        this.element.getScreenCTM().inverse(),
      );
      const at = Math.round(((point.x - LEFT) / (WIDTH - LEFT - RIGHT)) * match.length);
      go(
        mark && event.type === "pointerdown"
          ? Number(mark.dataset.event)
          : Math.min(Math.max(at, 0), match.length),
      );
    };
    this.element.addEventListener("pointerdown", jump);
    this.element.addEventListener("pointermove", (event) => event.buttons === 1 && jump(event));
  }

  #x(event) {
    return LEFT + (event / Math.max(this.#match.length, 1)) * (WIDTH - LEFT - RIGHT);
  }
  #y(share) {
    return TOP + (1 - share / this.#top) * (HEIGHT - TOP - BOTTOM);
  }

  draw(decisions) {
    if (!decisions.length) return;
    const alone = this.#match.players === 1;
    this.#top = alone
      ? Math.max(0.2, ...decisions.flatMap((decision) => [...decision.before, ...decision.after]))
      : 1;
    const grid = [0, 0.5, 1].flatMap((part) => {
      const y = this.#y(part * this.#top);
      const label = alone ? String(Math.round(part * this.#top * 100)) : `${part * 100} %`;
      return [
        el("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }),
        el("text", { x: LEFT - 4, y: y + 4, class: "scale" }, label),
      ];
    });
    const axis = el(
      "text",
      { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, class: "axis" },
      alone ? t("expected score, from start to end") : t("chance to win, from start to end"),
    );
    const lines = this.#match.names.map((_, seat) => this.#points(decisions, seat));
    const signs = apart(lines.map((points) => this.#y(points.at(-1)[1])));
    const drawn = lines.flatMap((points, seat) => [
      this.#line(points, seat),
      el(
        "text",
        { x: WIDTH - RIGHT + 9, y: signs[seat] + 4, class: `sign of-${seat}` },
        seatMark(seat).textContent,
      ),
    ]);
    const marks = decisions
      .filter((decision) => decision.mark)
      .map((decision) => this.#mark(decision));
    this.element.replaceChildren(...grid, axis, ...drawn, this.#cursor, ...marks);
    this.element.removeAttribute("hidden");
  }

  /** What a seat could expect after each decision, and what it got in the end. */
  #points(decisions, seat) {
    const points = [
      [0, decisions[0].before[seat]],
      ...decisions.map((decision) => [decision.event + 1, decision.after[seat]]),
    ];
    const { over, players, winners, length } = this.#match;
    if (over && players > 1) points.push([length, winners.includes(seat) ? 1 / winners.length : 0]);
    return points;
  }

  #line(points, seat) {
    const path = points
      .map(([event, share]) => `${this.#x(event).toFixed(1)},${this.#y(share).toFixed(1)}`)
      .join(" ");
    return el("polyline", {
      points: path,
      class: `chances of-${seat}`,
      "stroke-dasharray": DASHES[seat % DASHES.length],
    });
  }

  /** A round mark for a mistake, a square on its corner for a blunder. */
  #mark(decision) {
    const x = this.#x(decision.event + 1),
      y = this.#y(decision.after[decision.seat]);
    const shape =
      decision.mark === "blunder"
        ? el("rect", {
            x: -5,
            y: -5,
            width: 10,
            height: 10,
            transform: "rotate(45)",
            class: `lost of-${decision.seat}`,
          })
        : el("circle", { r: 4.5, class: `lost of-${decision.seat}` });
    return el(
      "g",
      { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, "data-event": decision.event },
      el("circle", { r: 9, class: "reach" }),
      shape,
    );
  }

  /** Show where we are, to eyes and to screen readers. */
  at(at, chances) {
    for (const end of ["x1", "x2"]) this.#cursor.setAttribute(end, this.#x(at));
    this.element.setAttribute("aria-valuenow", at);
    const told = chances
      ?.map((share, seat) => `${this.#match.names[seat]} ${Math.round(share * 100)}`)
      .join(", ");
    this.element.setAttribute("aria-valuetext", told ? `${at}: ${told}` : String(at));
  }
}

/** Heights moved so far apart that signs at them do not lie on each other. */
function apart(heights, least = 12) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const moved = [...heights];
  for (let i = order.length - 2; i >= 0; i--)
    moved[order[i]] = Math.min(moved[order[i]], moved[order[i + 1]] - least);
  for (let i = 1; i < order.length; i++)
    moved[order[i]] = Math.max(moved[order[i]], moved[order[i - 1]] + least);
  return moved;
}
