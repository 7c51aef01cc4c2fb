// @ts-check
// Pictures one after the other: the beats since the last state, then the state itself. What comes
// meanwhile waits its turn; a click or key skips to the end.

import { Emitter } from "./events.js";
import { animate, markNew, newIn, placesIn } from "./motion.js";
import { speedFactor } from "./settings.js";
import { parsePicture } from "./svg.js";

/** @import { Beat, Play } from "./types.d.ts" */

const PATIENCE = 30; // seconds of what happened that one is shown at most

/**
 * @typedef {object} StageEvents
 * @property {Beat} beat a beat begins
 * @property {Play | null} shown a picture is in place: the last one, which is played on, or (null) a
 *   moment on the way
 * @property {null} settled everything has been shown
 */

/**
 * A picture and the beats that it is shown for; `play` is there once it is the last one.
 * @typedef {object} Moment
 * @property {string} svg
 * @property {Beat[]} beats
 * @property {Play | null} play
 */

/** @extends {Emitter<StageEvents>} */
export class Stage extends Emitter {
  /** @type {SVGSVGElement | null} */
  picture = null;
  #text = ""; // of the picture
  /** @type {Play | null} */
  #next = null;
  #running = false;
  #era = 0; // each begins with nothing
  #held = false;
  #skipping = false;
  #wake = () => {};
  /** @type {Set<string>} */
  #news = new Set(); // ids of what came last
  /** Whether the picture that is shown is the last one, and can be played on. */
  isLive = false;

  /** @param {HTMLElement} box */
  constructor(box) {
    super();
    this.box = box;
  }

  /**
   * Show what has happened, then the picture to play on. What is still to be shown comes first.
   * @param {Play} play
   */
  present(play) {
    const after = [...(this.#next?.after ?? []), ...(play.after ?? [])];
    const beats = latest([...unseen(this.#next), ...play.beats]);
    this.#next = { ...play, beats, after };
    if (!this.#running) this.#run();
  }

  /** Whether there is more to be shown than the picture that is. */
  get isBehind() {
    return this.#next !== null;
  }

  /** Go to the last picture at once. */
  skip() {
    this.#skipping = true;
    if (this.#next) this.#next = { ...this.#next, beats: [] };
    this.#wake();
  }

  /** Show nothing any more, nor what was still to come. */
  clear() {
    this.#era += 1;
    this.#next = null;
    this.#text = "";
    this.#news.clear();
    this.isLive = false;
    this.picture?.remove();
    this.picture = null;
    this.skip();
  }

  /**
   * While a finger or button is down nothing changes under it.
   * @param {boolean} held
   */
  hold(held) {
    this.#held = held;
    if (!held) this.#wake();
  }

  async #run() {
    this.#running = true;
    while (this.#next) {
      if (this.#held) await this.#sleep(Infinity, () => !this.#held);
      const play = /** @type {Play} */ (this.#next);
      this.#next = null;
      this.#skipping = false;
      await this.#show(momentsOf(play));
    }
    this.#running = false;
    this.emit("settled", null);
  }

  /** Whether nobody wants to see what lies between. */
  #isHasty() {
    return this.#skipping || speedFactor() === 0 || document.hidden;
  }

  /** @param {Moment[]} moments */
  async #show(moments) {
    const era = this.#era;
    for (const { svg, beats, play } of moments) {
      if (era !== this.#era) return;
      if (!play && this.#isHasty()) continue;
      this.isLive = play !== null;
      this.#put(svg);
      this.emit("shown", play);
      for (const act of play?.after ?? []) act();
      for (const beat of beats) if (era === this.#era) await this.#perform(beat, play !== null);
    }
  }

  /**
   * @param {Beat} beat
   * @param {boolean} last whether it shows the picture that is played on
   */
  async #perform(beat, last) {
    if (this.#skipping && !last) return;
    this.emit("beat", beat);
    const seconds = beat.seconds * speedFactor();
    if (!seconds || this.#isHasty()) return;
    await this.#sleep(seconds * 1000, () => this.#skipping);
  }

  /**
   * Wait, but no longer than until something is so.
   * @param {number} milliseconds
   * @param {() => boolean} isSo
   */
  #sleep(milliseconds, isSo) {
    return new Promise((resolve) => {
      const timer = milliseconds < Infinity ? setTimeout(() => resolve(null), milliseconds) : 0;
      this.#wake = () => {
        if (!isSo()) return;
        clearTimeout(timer);
        resolve(null);
      };
    });
  }

  /** @param {string} text */
  #put(text) {
    if (text === this.#text) return;
    const before = this.picture && placesIn(this.picture);
    const picture = parsePicture(text);
    this.#text = text;
    if (this.picture) this.picture.replaceWith(picture);
    else this.box.prepend(picture);
    this.picture = picture;
    if (!before) return;
    this.#news = newIn(picture, before) ?? this.#news;
    markNew(picture, this.#news);
    animate(picture, before);
  }
}

/**
 * The beats that are still to be shown, with the picture of their own state.
 * @param {Play | null} play
 */
function unseen(play) {
  return play?.beats.map((beat) => ({ ...beat, svg: beat.svg ?? play.svg })) ?? [];
}

/**
 * The last beats, as many as one has the patience for.
 * @param {Beat[]} beats
 */
function latest(beats) {
  let seconds = 0;
  const tooLong = beats.findLastIndex((beat) => {
    seconds += beat.seconds;
    return seconds > PATIENCE;
  });
  return beats.slice(tooLong + 1);
}

/**
 * The pictures to be shown, each with its beats; the last one is that of the state.
 * @param {Play} play
 */
function momentsOf(play) {
  /** @type {Moment[]} */
  const moments = [];
  for (const beat of play.beats) {
    const svg = beat.svg ?? play.svg;
    if (moments.at(-1)?.svg === svg) moments.at(-1)?.beats.push(beat);
    else moments.push({ svg, beats: [beat], play: null });
  }
  if (moments.at(-1)?.svg !== play.svg) moments.push({ svg: play.svg, beats: [], play: null });
  const last = /** @type {Moment} */ (moments.at(-1));
  last.play = play;
  return moments;
}
