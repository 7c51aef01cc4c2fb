// @ts-check
// A magnifying glass above the finger, where what is aimed at is smaller than a fingertip.

import { h } from "./dom.js";

const ABOVE = 96; // pixels from the finger to the middle of the glass
const REACH = 62; // units of the picture that are seen around the finger

export class Lens {
  #glass = h("div", { class: "lens", hidden: true, "aria-hidden": "true" });
  /** @type {SVGSVGElement | null} */
  #copy = null;

  /**
   * @param {SVGSVGElement} picture
   * @param {number} x on the screen
   * @param {number} y
   */
  show(picture, x, y) {
    const matrix = picture.getScreenCTM();
    if (!matrix) return;
    const at = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    this.#copy?.remove();
    this.#copy = /** @type {SVGSVGElement} */ (picture.cloneNode(true));
    this.#copy.setAttribute("viewBox", `${at.x - REACH / 2} ${at.y - REACH / 2} ${REACH} ${REACH}`);
    for (const named of this.#copy.querySelectorAll("[id], [tabindex], [data-touch]"))
      for (const name of ["id", "tabindex", "data-touch", "role"]) named.removeAttribute(name);
    this.#glass.replaceChildren(this.#copy);
    if (!this.#glass.isConnected) document.body.append(this.#glass);
    this.#glass.style.left = `${x}px`;
    this.#glass.style.top = `${Math.max(y - ABOVE, 64)}px`;
    this.#glass.hidden = false;
  }

  hide() {
    this.#glass.hidden = true;
    this.#glass.replaceChildren(); // it may show a hand
  }
}
