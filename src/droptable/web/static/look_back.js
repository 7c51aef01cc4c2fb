// @ts-check
// Looking back during a match: a moment of the log on the board, until somebody returns to now.

import { get } from "./api.js";
import { Emitter } from "./events.js";

/** @import { Shape, TableState } from "./types.d.ts" */

/** @extends {Emitter<{ change: null }>} */
export class LookBack extends Emitter {
  /** The moment that is shown. @type {Pick<TableState, "picture"> | null} */
  moment = null;
  text = "";
  #stays = false;
  #asked = 0;

  /**
   * @param {string} table
   * @param {() => { scene: Shape, seat?: number }} look how the table is shown now
   */
  constructor(table, look) {
    super();
    this.table = table;
    this.look = look;
  }

  /**
   * Show the moment after a line of the log; what is only pointed at goes again by itself.
   * @param {number | null} seq null if nothing is pointed at any more
   * @param {string} text the line
   * @param {boolean} stay
   */
  async at(seq, text, stay) {
    const asked = ++this.#asked;
    if (seq === null) return this.#stays || this.leave();
    if (this.#stays && !stay) return;
    const moment = await get(`tables/${this.table}/at`, { seq, ...this.look() }).catch(
      () => null, // it cannot be shown: the match goes on
    );
    if (asked !== this.#asked || !moment?.picture) return;
    [this.moment, this.text, this.#stays] = [moment, text, stay];
    this.emit("change", null);
  }

  /** Back to now. */
  leave() {
    this.#asked += 1;
    this.#stays = false;
    if (!this.moment) return;
    this.moment = null;
    this.emit("change", null);
  }
}
