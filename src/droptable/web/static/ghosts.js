// @ts-check
// What is drawn over a picture: what a move would do, and what lies in slots that are being filled.

import { parsePart, svg } from "./svg.js";

/** @import { Filling } from "./filling.js" */

const VALUE = 0.62; // size of a value, relative to its slot

export class Ghosts {
  #layer = svg("g", { class: "ghost" });
  #values = svg("g", { class: "still values" });
  /** @type {string | null} */
  #shown = null;
  /** @type {Map<string, [x: number, y: number]>} */
  #centres = new Map(); // of ghosts, in units of the picture
  /** @type {SVGSVGElement | null} */
  #picture = null;

  /** @param {SVGSVGElement | null} picture */
  enter(picture) {
    if (!picture || picture === this.#picture) return;
    this.#picture = picture;
    this.#centres.clear();
    this.show(null);
    picture.append(this.#values, this.#layer);
  }

  /** @param {string | null} ghost */
  show(ghost) {
    if (ghost === this.#shown) return;
    this.#shown = ghost;
    this.#layer.replaceChildren(...(ghost ? parsePart(ghost) : []));
  }

  /**
   * Write the values that lie in slots.
   * @param {Filling | null} filling
   * @param {SVGSVGElement | null} picture
   */
  fill(filling, picture) {
    const entries = picture ? [...(filling?.filled ?? [])] : [];
    const values = entries.flatMap(([slot, { value }]) => {
      const thing = picture?.querySelector(`[data-touch="${CSS.escape(slot)}"]`);
      if (!(thing instanceof SVGGraphicsElement)) return [];
      const box = thing.getBBox();
      const place = thing.transform.baseVal.consolidate()?.matrix;
      return svg(
        "text",
        {
          x: (place?.e ?? 0) + box.x + box.width / 2,
          y: (place?.f ?? 0) + box.y + box.height / 2,
          "font-size": box.height * VALUE,
          class: "bold filled",
        },
        value,
      );
    });
    this.#values.replaceChildren(...values);
    const used = new Set(entries.map(([, { piece }]) => piece));
    for (const name of Object.keys(filling?.fill.pieces ?? {}))
      picture
        ?.querySelector(`[data-touch="${CSS.escape(name)}"]`)
        ?.classList.toggle("used", used.has(name));
  }

  /**
   * The name whose ghost is nearest to a point on the screen, along an axis or (`xy`) both.
   * @param {{ name: string, ghost: string }[]} moves
   * @param {string} axis
   * @param {number} screenX
   * @param {number} screenY
   */
  nearest(moves, axis, screenX, screenY) {
    const matrix = this.#picture?.getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(screenX, screenY).matrixTransform(matrix.inverse());
    let nearest = null;
    let least = Infinity;
    for (const { name, ghost } of moves) {
      const [gx, gy] = this.#centreOf(ghost);
      const distance = Math.hypot(axis.includes("x") ? gx - x : 0, axis.includes("y") ? gy - y : 0);
      if (distance < least) [nearest, least] = [name, distance];
    }
    return nearest;
  }

  /** @param {string} ghost */
  #centreOf(ghost) {
    let centre = this.#centres.get(ghost);
    if (!centre) {
      const drawn = svg("g", { visibility: "hidden" }, ...parsePart(ghost));
      this.#picture?.append(drawn);
      const { x, y, width, height } = drawn.getBBox();
      drawn.remove();
      centre = [x + width / 2, y + height / 2];
      this.#centres.set(ghost, centre);
    }
    return centre;
  }
}
