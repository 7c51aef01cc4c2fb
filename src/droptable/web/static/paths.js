// @ts-check
// Following the paths of legal moves: what was touched, what can be touched next, which move it is.

/** @import { Move, Path, Switches } from "./types.d.ts" */

/**
 * Where these touches lead along a path: what can be touched next, and whether the path is done.
 * Null if they leave it.
 * @param {Path} path
 * @param {string[]} touched
 */
function follow(path, touched) {
  const left = [...touched];
  for (const step of path) {
    const group = typeof step === "string" ? [step] : [...step];
    while (group.length) {
      if (!left.length) return { next: group, done: false };
      const at = group.indexOf(left[0]);
      if (at < 0) return null;
      group.splice(at, 1);
      left.shift();
    }
  }
  return left.length ? null : { next: [], done: true };
}

/**
 * Whether a move is made by a button, not by touching the picture.
 * @param {Move} move
 */
export function isButton(move) {
  return move.path.length === 1 && String(move.path[0]).startsWith("do-");
}

export class Walk {
  /** @type {string[]} */
  touched = [];

  /**
   * @param {Move[]} moves
   * @param {Switches} switches
   */
  constructor(moves = [], switches = {}) {
    this.moves = moves;
    this.switches = switches;
  }

  /** The names that can be touched now. */
  get next() {
    const names = this.moves.flatMap((move) => follow(move.path, this.touched)?.next ?? []);
    const last = this.touched.at(-1);
    for (const [name, swaps] of Object.entries(this.switches))
      if (last !== undefined && last in swaps) names.push(name);
    return new Set(names);
  }

  /**
   * Whether some move begins with this.
   * @param {string} name
   */
  begins(name) {
    return this.moves.some((move) => follow(move.path, [name]));
  }

  /** The moves that begin with what was touched. */
  get possible() {
    return this.moves.filter((move) => follow(move.path, this.touched));
  }

  /** The move whose path has been touched to its end. */
  get move() {
    return this.#complete(this.touched);
  }

  /**
   * The move that touching this as well would complete.
   * @param {string} name
   */
  moveAfter(name) {
    return this.#complete([...this.touched, name]);
  }

  /**
   * Touch something: true if it can be touched now.
   * @param {string} name
   */
  touch(name) {
    const other = this.switches[name]?.[this.touched.at(-1) ?? ""];
    if (other) this.touched = [...this.touched.slice(0, -1), other];
    else if (this.next.has(name)) this.touched = [...this.touched, name];
    else return false;
    return true;
  }

  /**
   * Take a touch back, and what came after it unless that still makes sense without it.
   * @param {string} name
   */
  untouch(name) {
    const at = this.touched.lastIndexOf(name);
    if (at < 0) return;
    const without = this.touched.filter((_, number) => number !== at);
    const fits = this.moves.some((move) => follow(move.path, without));
    this.touched = fits ? without : this.touched.slice(0, at);
  }

  reset() {
    this.touched = [];
  }

  /** @param {string[]} touched */
  #complete(touched) {
    return this.moves.find((move) => follow(move.path, touched)?.done) ?? null;
  }
}
