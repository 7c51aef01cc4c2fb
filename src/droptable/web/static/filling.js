// @ts-check
// Pieces that go into slots in any order, such as dice into squares. It knows no game: only names.

/** @import { Fill } from "./types.d.ts" */

export class Filling {
  /** @type {Map<string, { piece: string, value: string }>} */
  filled = new Map(); // by slot, in the order of filling
  /** @type {string | null} */
  current; // the slot that the next piece goes into
  /** @type {string | null} */
  open = null; // a piece that was picked and can stand for several values

  /** @param {Fill} fill */
  constructor(fill) {
    this.fill = fill;
    this.current = fill.slots[0] ?? null;
    this.#finish();
  }

  /** @param {string} name */
  isSlot(name) {
    return this.fill.slots.includes(name);
  }

  /** The pieces that are not in a slot yet. */
  get left() {
    const used = new Set([...this.filled.values()].map(({ piece }) => piece));
    return Object.keys(this.fill.pieces).filter((piece) => !used.has(piece));
  }

  /** The moves, once every slot is filled. */
  get tokens() {
    if (this.filled.size < this.fill.slots.length) return null;
    return this.fill.slots.map((slot) =>
      this.fill.token.replace("{}", this.filled.get(slot)?.value ?? ""),
    );
  }

  /** The values that can be chosen now. */
  get choices() {
    return this.open ? this.fill.pieces[this.open] : [];
  }

  /** The names that can be touched now. */
  get next() {
    return new Set([...this.fill.slots, ...this.left]);
  }

  /**
   * Touch a slot (it is next, and loses what was in it) or a piece (it goes there).
   * @param {string} name
   */
  touch(name) {
    if (this.isSlot(name)) {
      this.filled.delete(name);
      this.current = name;
      return true;
    }
    if (!this.left.includes(name)) return false;
    const values = this.fill.pieces[name];
    if (values.length === 1) return this.#put(name, values[0]);
    this.open = this.open === name ? null : name;
    return true;
  }

  /**
   * Drop a piece onto a slot.
   * @param {string} piece
   * @param {string} slot
   */
  drop(piece, slot) {
    if (!this.isSlot(slot) || !this.left.includes(piece)) return false;
    this.filled.delete(slot);
    this.current = slot;
    return this.touch(piece);
  }

  /**
   * Put a value into the current slot: by a piece that shows it, else by one that can stand for it.
   * @param {string} value
   */
  choose(value) {
    const fits = (this.open ? [this.open] : this.left).filter((piece) =>
      this.fill.pieces[piece].includes(value),
    );
    const [best] = fits.sort((a, b) => this.fill.pieces[a].length - this.fill.pieces[b].length);
    return best === undefined ? false : this.#put(best, value);
  }

  /** Take the last piece out again: true if there was one. */
  undo() {
    if (this.open) {
      this.open = null;
      return true;
    }
    const slot = [...this.filled.keys()].at(-1);
    if (slot === undefined) return false;
    this.filled.delete(slot);
    this.current = slot;
    return true;
  }

  /**
   * @param {string} piece
   * @param {string} value
   */
  #put(piece, value) {
    if (this.current === null) return false;
    this.filled.set(this.current, { piece, value });
    this.open = null;
    this.current = this.fill.slots.find((slot) => !this.filled.has(slot)) ?? null;
    this.#finish();
    return true;
  }

  /** The last piece goes into the last slot by itself, if it shows one value. */
  #finish() {
    const [piece, ...more] = this.left;
    if (this.current === null || piece === undefined || more.length) return;
    const values = this.fill.pieces[piece];
    if (values.length === 1) this.#put(piece, values[0]);
    else this.open = piece;
  }
}
