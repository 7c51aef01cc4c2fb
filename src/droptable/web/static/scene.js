// @ts-check
// A picture to play on. It knows no game: only ids, names that can be touched, and paths of moves.

import { ActionBar } from "./action_bar.js";
import { h } from "./dom.js";
import { Emitter } from "./events.js";
import { Filling } from "./filling.js";
import { Gestures } from "./gestures.js";
import { Ghosts } from "./ghosts.js";
import { t } from "./i18n.js";
import { Keys } from "./keys.js";
import { isButton, Walk } from "./paths.js";
import { confirmMoves } from "./settings.js";
import { Stage } from "./stage.js";
import { parsePart, svg } from "./svg.js";
import { canBeTouched, isPicked, nameOf, setButton, thingsIn } from "./things.js";

/** @import { Beat, Chip, Move, Path, Play, Switches } from "./types.d.ts" */

/**
 * @typedef {object} SceneEvents
 * @property {null} walk something was touched or taken back
 * @property {{ tokens: string[] }} move a move was made, or several at once
 * @property {number} focus somebody wants to look at a seat
 * @property {{ touched: string[] }} impossible what was touched makes no move
 * @property {Beat} beat a moment since the last state is shown
 * @property {null} settled everything that happened has been shown
 */

/** @typedef {"mouse" | "touch" | "pen" | "keyboard" | "drag"} Pointer */

/**
 * A move that waits for a second tap or the Confirm button.
 * @typedef {object} Armed
 * @property {string | null} name what was tapped
 * @property {string} label
 * @property {string[]} tokens
 * @property {string | null | undefined} ghost
 */

/** The box of a board that is played on. */
export function boardBox() {
  return h("div", {
    class: "board",
    role: "application",
    tabindex: "-1",
    "aria-label": t("The board: arrow keys move the focus, Enter touches, Escape starts over"),
  });
}

/** @type {Play} */
const NOTHING = { svg: "", beats: [], moves: [], switches: {}, chips: [], fill: null };

/** @extends {Emitter<SceneEvents>} */
export class Scene extends Emitter {
  walk = new Walk();
  /** @type {Filling | null} */
  filling = null;
  /** @type {Armed | null} */
  armed = null;
  #play = NOTHING;
  #ghosts = new Ghosts();

  /** @param {HTMLElement} box */
  constructor(box) {
    super();
    this.box = box;
    this.stage = new Stage(box);
    this.stage.on("shown", (play) => this.#shown(play));
    this.stage.on("beat", (beat) => this.emit("beat", beat));
    this.stage.on("settled", () => this.emit("settled", null));
    this.bar = new ActionBar(this);
    this.keys = new Keys(this);
    this.gestures = new Gestures(this);
  }

  /** The buttons for what is not on the board: put them near it. */
  get buttons() {
    return this.bar.element;
  }

  get picture() {
    return this.stage.picture;
  }

  /** Whether it can be played on now: not while something is still to be seen. */
  get isLive() {
    return this.stage.isLive;
  }

  /** Whether there is still something to see before anything can be done. */
  get playing() {
    const waits = this.stage.isBehind && !this.walk.moves.length;
    return this.picture !== null && (!this.isLive || waits);
  }

  get chips() {
    return this.#play.chips;
  }

  /** What the board itself has to say, if that is more to the point than the prompt. */
  get say() {
    if (this.armed) return t("Tap again to confirm: {move}", { move: this.armed.label });
    const { touched, possible } = this.walk;
    return touched.length && possible.length === 1 ? possible[0].label : null;
  }

  /**
   * Show a picture and let these moves be made on it.
   * @param {string} text
   * @param {Move[]} moves
   * @param {Switches} switches
   */
  show(text, moves = [], switches = {}) {
    this.present({ ...NOTHING, svg: text, moves, switches });
  }

  /**
   * Show what has happened, then the picture to play on.
   * @param {Play} play
   */
  present(play) {
    this.stage.present(play);
  }

  /** Go to the last picture at once. */
  skip() {
    this.stage.skip();
  }

  /** Show nothing, until there is something to be shown anew. */
  clear() {
    this.stage.clear();
    this.#play = NOTHING;
    this.walk = new Walk();
    this.filling = null;
    this.armed = null;
    this.bar.update();
  }

  /** Forget what was touched. */
  reset() {
    this.walk.reset();
    this.#begin();
    this.filling = this.#play.fill && new Filling(this.#play.fill);
    this.armed = null;
    this.#changed();
  }

  /**
   * Point at the things of a path, for a hint or a better move.
   * @param {Path} path
   */
  point(path) {
    const names = new Set(path.flat());
    for (const thing of this.things())
      thing.classList.toggle("hinted", names.has(thing.dataset.touch ?? ""));
  }

  /**
   * Add SVG to the picture that shows what a move would do.
   * @param {string} ghost
   */
  overlay(ghost) {
    this.picture?.append(svg("g", { class: "ghost" }, ...parsePart(ghost)));
  }

  // -- a new picture --------------------------------------------------------------------------

  /**
   * A picture is in place. The same moves as before disturb nobody: what was touched stays touched.
   * @param {Play | null} play null while something is still to be seen
   */
  #shown(play) {
    const now = play ?? { ...NOTHING, svg: "" };
    const same = samePaths(now.moves, this.walk.moves) && !this.walk.move;
    const kept = same ? this.walk.touched : [];
    const sameFill = JSON.stringify(now.fill) === JSON.stringify(this.#play.fill);
    this.#play = now;
    this.walk = new Walk(now.moves, now.switches);
    for (const name of kept) if (!this.walk.touch(name)) break;
    if (!this.walk.touched.length) this.#begin();
    if (!sameFill) this.filling = now.fill && new Filling(now.fill);
    if (!this.armed || !same) this.armed = null;
    this.#ghosts.enter(this.picture);
    this.#changed();
    this.keys.keepFocus();
  }

  /** Where things can be switched (a shape turned), the first one is taken at once. */
  #begin() {
    const names = Object.values(this.walk.switches).flatMap((swaps) => Object.keys(swaps));
    const first = names.find((name) => this.walk.next.has(name));
    if (first) this.walk.touch(first);
  }

  /** @returns {SVGElement[]} */
  things() {
    return this.picture ? thingsIn(this.picture) : [];
  }

  /** Mark what can be touched and what was, and tell. */
  #changed() {
    this.#light();
    this.bar.update();
    this.emit("walk", null);
  }

  #light() {
    const next = this.filling ? this.filling.next : this.walk.next;
    const left = [...this.walk.touched];
    for (const thing of this.things()) {
      const name = thing.dataset.touch ?? "";
      const at = left.indexOf(name);
      const picked = at >= 0 && (isPicked(thing) || !this.#twinIsPicked(thing, name));
      if (picked) left.splice(at, 1);
      thing.classList.toggle("picked", picked || this.filling?.open === name);
      thing.classList.toggle("current", this.filling?.current === name);
      thing.classList.toggle("can", next.has(name) && !picked);
      thing.classList.toggle("armed", this.armed?.name === name);
      setButton(thing, next.has(name) || picked, picked);
    }
    this.#ghosts.fill(this.filling, this.picture);
    this.preview(null);
  }

  /**
   * Whether another thing of the same name is the one that was picked.
   * @param {SVGElement} thing
   * @param {string} name
   */
  #twinIsPicked(thing, name) {
    return this.things().some(
      (other) => other !== thing && other.dataset.touch === name && isPicked(other),
    );
  }

  // -- touching -------------------------------------------------------------------------------

  /**
   * @param {SVGElement} thing
   * @param {Pointer} pointer
   * @param {string} name by which it is meant, if the pointer aims at another one
   * @returns {void}
   */
  touch(thing, pointer, name = nameOf(thing) ?? "") {
    if (!this.isLive) return;
    if (this.filling?.next.has(name)) return this.#fillIn(() => this.filling?.touch(name), pointer);
    if (isPicked(thing) && !this.walk.next.has(name)) {
      this.walk.untouch(name);
      thing.classList.remove("picked");
    } else if (this.walk.next.has(name)) {
      const move = this.walk.moveAfter(name);
      if (move && this.#mustConfirm(move, name, pointer)) return this.#arm(move, name);
      thing.classList.add("picked");
      this.walk.touch(name);
    } else if (this.walk.touched.length && this.walk.begins(name)) {
      for (const other of this.things()) other.classList.remove("picked");
      this.walk.reset();
      return this.touch(thing, pointer, name);
    } else {
      return this.emit("impossible", { touched: [...this.walk.touched, name] });
    }
    this.armed = null;
    const move = this.walk.move;
    this.#changed();
    if (move) this.make([move.token]);
  }

  /** Something was touched that is no part of any move. @param {EventTarget | null} target */
  touchNothing(target) {
    const place = target instanceof Element ? target.closest("[data-focus]") : null;
    if (place) this.emit("focus", Number(place.getAttribute("data-focus")));
    else if (this.armed || this.walk.touched.length) this.reset();
  }

  /**
   * Fill a slot, or take a piece out of it.
   * @param {() => boolean | undefined} act
   * @param {Pointer} pointer
   */
  #fillIn(act, pointer) {
    if (!act()) return this.emit("impossible", { touched: [] });
    const tokens = this.filling?.tokens;
    this.armed = null;
    if (tokens && confirmMoves(pointer))
      this.armed = { name: null, label: t("Write these"), tokens, ghost: null };
    this.#changed();
    if (tokens && !this.armed) this.make(tokens);
  }

  /**
   * @param {string} piece
   * @param {string} slot
   */
  dropPiece(piece, slot) {
    this.#fillIn(() => this.filling?.drop(piece, slot), "drag");
  }

  /**
   * @param {string} value
   * @param {Pointer} pointer
   */
  chooseValue(value, pointer) {
    this.#fillIn(() => this.filling?.choose(value), pointer);
  }

  /** Take the last touch back: true if there was one. */
  undo() {
    if (this.armed) {
      this.armed = null;
    } else if (!this.filling?.undo()) {
      const last = this.walk.touched.at(-1);
      const isSwitched = Object.values(this.walk.switches).some((swaps) => (last ?? "") in swaps);
      if (last === undefined || isSwitched) return false;
      this.walk.untouch(last);
    }
    this.#changed();
    return true;
  }

  /**
   * Fingers cannot hover: the first tap shows what a move would do, the second makes it.
   * @param {Move} move
   * @param {string} name
   * @param {Pointer} pointer
   */
  #mustConfirm(move, name, pointer) {
    if (!confirmMoves(pointer) || this.armed?.name === name) return false;
    return pointer !== "touch" || Boolean(move.ghost);
  }

  /**
   * @param {Move} move
   * @param {string} name
   */
  #arm(move, name) {
    this.armed = { name, label: move.label, tokens: [move.token], ghost: move.ghost };
    this.#changed();
  }

  /** Make the move that is armed. */
  confirm() {
    if (this.armed) this.make(this.armed.tokens);
  }

  /** @param {Chip} chip */
  useChip(chip) {
    if (this.isLive) this.make(chip.tokens);
  }

  /** @param {string[]} tokens */
  make(tokens) {
    this.armed = null;
    this.bar.update();
    this.skip(); // who moves has seen enough
    this.emit("move", { tokens });
  }

  /** The moves that are made by a button. */
  get buttonMoves() {
    const { moves, touched, next } = this.walk;
    return touched.length && !next.size ? [] : moves.filter(isButton);
  }

  // -- ghosts ---------------------------------------------------------------------------------

  /**
   * Show what touching this would do, if it completes a move; else what is armed.
   * @param {string | null} name
   */
  preview(name) {
    const move = name && this.walk.next.has(name) ? this.walk.moveAfter(name) : null;
    this.#ghosts.show(move?.ghost ?? this.armed?.ghost ?? null);
  }

  /** @param {Chip | null} chip */
  previewChip(chip) {
    this.#ghosts.show(chip?.ghost ?? null);
  }

  /**
   * Of the moves that things aimed at would complete, the name of the one whose ghost is nearest.
   * @param {SVGElement} thing
   * @param {number} x on the screen
   * @param {number} y
   */
  aim(thing, x, y) {
    const axis = thing.dataset.aim;
    if (!axis || !this.picture) return nameOf(thing);
    const names = new Set(
      this.things()
        .filter((other) => other.dataset.aim && canBeTouched(other))
        .map((other) => other.dataset.touch ?? ""),
    );
    const moves = [...names].flatMap((name) => {
      const move = this.walk.moveAfter(name);
      return move?.ghost ? [{ name, ghost: move.ghost }] : [];
    });
    return this.#ghosts.nearest(moves, axis, x, y) ?? nameOf(thing);
  }
}

/**
 * @param {Move[]} moves
 * @param {Move[]} others
 */
function samePaths(moves, others) {
  return String(moves.map((move) => move.path)) === String(others.map((move) => move.path));
}
