// @ts-check
// The match in lines, a turn, deal or roll each; a click goes there.

import { fill, h } from "./dom.js";
import { t } from "./i18n.js";

/** @import { MatchTurn } from "./types.d.ts" */

export class TurnLog {
  #list = h("ol", { class: "turns" });
  #go;

  /** @param {(at: number) => unknown} go */
  constructor(go) {
    this.#go = go;
    this.element = h(
      "details",
      { class: "card-box turn-log", ontoggle: () => this.#reveal() },
      h("summary", {}, t("Log")),
      this.#list,
    );
  }

  /** @param {MatchTurn[]} turns */
  show(turns) {
    fill(
      this.#list,
      turns.filter(({ text }) => text).map((turn) => h("li", {}, this.#line(turn))),
    );
  }

  /**
   * Mark the line of a moment.
   * @param {number} at
   */
  at(at) {
    for (const line of this.#list.querySelectorAll("button")) {
      const { from, to } = line.dataset;
      const isHere = Number(from) < at && at <= Number(to);
      if (isHere) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
    this.#reveal();
  }

  /** @param {MatchTurn} turn */
  #line({ from, to, text }) {
    return h(
      "button",
      {
        type: "button",
        class: "plain",
        "data-from": from,
        "data-to": to,
        onclick: () => this.#go(to),
      },
      text,
    );
  }

  /** Scroll the list, but not the page, to the line that is marked. */
  #reveal() {
    const line = this.#list.querySelector("[aria-current]");
    if (!(line instanceof HTMLElement) || !this.element.open) return;
    this.#list.scrollTop = line.offsetTop - this.#list.offsetTop - this.#list.clientHeight / 2;
  }
}
