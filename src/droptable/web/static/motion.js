// @ts-check
// From one picture to the next: how things come, move, turn and go. What a picture says about it
// stands in its attributes (`data-enter`, `data-from`, …; see core/scene.py).

import { speedFactor } from "./settings.js";
import { svg } from "./svg.js";

const USUAL = 0.42; // seconds of a motion that says nothing else
const FEW = 6; // with more new things than that it is another picture
const SPARKS = 7;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * A thing as it was in the picture before.
 * @typedef {object} Was
 * @property {SVGGraphicsElement} thing
 * @property {DOMMatrix} matrix its place on the screen
 * @property {DOMPoint} centre of what it shows, on the screen
 */

/** @typedef {Map<string, Was>} Places by id */

/**
 * Motion of one thing: key frames, and easing between them.
 * @typedef {object} Motion
 * @property {Keyframe[]} frames
 * @property {string} [easing]
 */

/** Ways to come; `rise` and `fall` know how far. @type {Record<string, Keyframe[]>} */
const ENTRANCES = {
  fade: [{ opacity: 0 }, { opacity: 1 }],
  fly: [{ opacity: 1 }, { opacity: 1 }],
  fall: [
    { opacity: 0, translate: "0 -60px" },
    { opacity: 1, translate: "0 0", offset: 0.6, easing: "ease-out" },
    { translate: "0 -9px", offset: 0.78, easing: "ease-in" },
    { translate: "0 0" },
  ],
  grow: [{ scale: 0 }, { scale: 1.12, offset: 0.7 }, { scale: 1 }],
  flip: [{ scale: "0 1" }, { scale: "1 1" }],
  tumble: [
    { opacity: 0, translate: "-46px -30px", rotate: "-500deg", scale: 0.7 },
    { opacity: 1, translate: "0 0", rotate: "-60deg", scale: 1.1, offset: 0.55 },
    { translate: "5px -7px", rotate: "15deg", scale: 1.05, offset: 0.78 },
    { translate: "0 0", rotate: "0deg", scale: 1 },
  ],
  slam: [{ opacity: 0, scale: 2.2 }, { opacity: 1, scale: 0.92, offset: 0.65 }, { scale: 1 }],
  rise: [
    { opacity: 0, translate: "0 24px" },
    { opacity: 1, translate: "0 0" },
  ],
};

/** @type {Record<string, Keyframe[]>} */
const EXITS = {
  fade: [{ opacity: 1 }, { opacity: 0 }],
  fly: [
    { opacity: 1, scale: 1 },
    { opacity: 0.6, scale: 0.6 },
  ],
  fall: [
    { opacity: 1, translate: "0 0" },
    { opacity: 0, translate: "0 90px" },
  ],
  shrink: [{ scale: 1 }, { scale: 0 }],
  burst: [
    { opacity: 1, scale: 1 },
    { opacity: 1, scale: 0.85, offset: 0.3 },
    { opacity: 0, scale: 1.7 },
  ],
};

/** @type {Record<string, Keyframe[]>} */
const TURNS = {
  flip: [{ scale: "0 1" }, { scale: "1 1" }],
  tumble: ENTRANCES.tumble.map((frame) => ({ ...frame, opacity: 1 })),
  pulse: [{ scale: 1 }, { scale: 1.28, offset: 0.4 }, { scale: 1 }],
};

// -- what is there ------------------------------------------------------------------------------

/**
 * The things of a picture that may move: those with an id and a place.
 * @param {SVGElement} picture
 * @returns {SVGGraphicsElement[]}
 */
function movables(picture) {
  return [...picture.querySelectorAll("[id][transform]")].filter(
    (element) => element instanceof SVGGraphicsElement,
  );
}

/**
 * @param {SVGElement} picture
 * @returns {Places}
 */
export function placesIn(picture) {
  /** @type {Places} */
  const places = new Map();
  for (const thing of movables(picture)) {
    const matrix = thing.getScreenCTM();
    if (matrix) places.set(thing.id, { thing, matrix, centre: middle(thing) });
  }
  return places;
}

/** @param {SVGGraphicsElement} thing */
function middle(thing) {
  const { x, y, width, height } = thing.getBoundingClientRect();
  return new DOMPoint(x + width / 2, y + height / 2);
}

/**
 * The ids of what is new in a picture: null if nothing is, none if everything is.
 * @param {SVGElement} picture
 * @param {Places} before
 */
export function newIn(picture, before) {
  const ids = movables(picture).map((thing) => thing.id);
  const fresh = ids.filter((id) => !before.has(id));
  if (!fresh.length) return null;
  return new Set(fresh.length <= FEW ? fresh : []);
}

/**
 * Mark these things as new, and no others.
 * @param {SVGElement} picture
 * @param {Set<string>} ids
 */
export function markNew(picture, ids) {
  for (const thing of movables(picture)) thing.classList.toggle("news", ids.has(thing.id));
}

// -- the change ---------------------------------------------------------------------------------

/** Whether things move at all, by the person's own setting and the device's. */
export function isMoving() {
  return speedFactor() > 0 && !calm.matches && !document.hidden;
}

/**
 * Animate the way from the picture before to this one.
 * @param {SVGSVGElement} picture
 * @param {Places} before
 */
export function animate(picture, before) {
  if (!isMoving()) return;
  const change = new Change(picture, before);
  for (const thing of movables(picture)) {
    const was = before.get(thing.id);
    if (was) change.stay(thing, was);
    else if (!thing.parentElement?.closest("[id][transform]") || thing.dataset.enter)
      change.enter(thing);
  }
  for (const [id, was] of before)
    if (!picture.querySelector(`#${CSS.escape(id)}`)) change.leave(was);
}

/** All motions between two pictures. */
class Change {
  /**
   * @param {SVGSVGElement} picture
   * @param {Places} before
   */
  constructor(picture, before) {
    this.picture = picture;
    this.before = before;
    this.factor = speedFactor() * 1000;
    this.above = svg("g", { class: "leaving" });
    picture.append(this.above);
  }

  /** @param {SVGGraphicsElement} thing */
  enter(thing) {
    const how = thing.dataset.enter ?? "fade";
    if (how === "stroke") return this.#stroke(thing);
    const frames = ENTRANCES[how] ?? ENTRANCES.fade;
    const from = thing.dataset.from && this.#find(thing.dataset.from);
    const offset = from && this.#offset(middle(thing), from); // before anything moves
    this.#run(thing, frames, how === "fall" ? "ease-in" : "ease-out");
    if (offset) this.#fly(thing, ...offset);
  }

  /**
   * @param {SVGGraphicsElement} thing
   * @param {Was} was
   */
  stay(thing, was) {
    if (thing.dataset.face !== was.thing.dataset.face) this.#turn(thing, was);
    const now = thing.getScreenCTM();
    if (!now || thing.parentElement?.closest("[id][transform]") || thing.dataset.way === "none")
      return;
    const place = new DOMPoint(now.e, now.f);
    const [dx, dy] = this.#offset(place, new DOMPoint(was.matrix.e, was.matrix.f));
    if (Math.abs(dx) + Math.abs(dy) > 0.5) this.#fly(thing, dx, dy);
  }

  /** @param {Was} was */
  leave(was) {
    const how = was.thing.dataset.leave ?? "fade";
    const inside = was.thing.parentElement?.closest("[id][transform]");
    if (how === "none" || (inside && !was.thing.dataset.leave)) return;
    const twin = this.#twin(was);
    const target = was.thing.dataset.to && this.#find(was.thing.dataset.to);
    if (target) this.#flyTo(twin, was.centre, target);
    if (how === "burst") this.#sparks(was);
    this.#run(twin, EXITS[how] ?? EXITS.fade, "ease-in", "forwards").onfinish = () => twin.remove();
  }

  // -- parts of motions -------------------------------------------------------------------------

  /**
   * Turn a thing that shows something else now; the old face is seen for the first half of a flip.
   * @param {SVGGraphicsElement} thing
   * @param {Was} was
   */
  #turn(thing, was) {
    const how = thing.dataset.turn ?? "flip";
    if (how === "none") return;
    if (how === "count") return this.#count(thing, was);
    if (how !== "flip") {
      this.#run(thing, TURNS[how] ?? TURNS.pulse, "ease-out");
      return;
    }
    const twin = this.#twin(was);
    const { delay, duration } = this.#timing(thing);
    const half = duration / 2;
    twin.style.transformOrigin = originOf(twin);
    twin.animate([{ scale: "1 1" }, { scale: "0 1" }], {
      delay,
      duration: half,
      easing: "ease-in",
      fill: "both",
    }).onfinish = () => twin.remove();
    thing.style.transformOrigin = originOf(thing);
    thing.animate(TURNS.flip, {
      delay: delay + half,
      duration: half,
      easing: "ease-out",
      fill: "backwards",
    });
  }

  /**
   * Count from one number to another.
   * @param {SVGGraphicsElement} thing
   * @param {Was} was
   */
  #count(thing, was) {
    const [from, to] = [was.thing, thing].map((each) => Number(each.dataset.face));
    const words = [...thing.querySelectorAll("text")].find(
      (text) => Number(text.textContent) === to,
    );
    if (!words || Number.isNaN(from) || Number.isNaN(to)) return;
    const { delay, duration } = this.#timing(thing);
    const start = performance.now() + delay;
    const step = (/** @type {number} */ now) => {
      if (!words.isConnected) return;
      const share = Math.min(1, Math.max(0, (now - start) / duration));
      words.textContent = String(Math.round(from + (to - from) * share));
      if (share < 1) requestAnimationFrame(step);
    };
    step(performance.now());
    this.#run(thing, TURNS.pulse, "ease-out");
  }

  /**
   * Draw the lines of a thing as a pencil would.
   * @param {SVGGraphicsElement} thing
   */
  #stroke(thing) {
    for (const path of thing.querySelectorAll("path")) {
      path.setAttribute("pathLength", "1");
      path.animate(
        [
          { strokeDasharray: "1 1", strokeDashoffset: 1 },
          { strokeDasharray: "1 1", strokeDashoffset: 0 },
        ],
        { ...this.#timing(thing), easing: "ease-in-out", fill: "backwards" },
      ).onfinish = () => path.removeAttribute("pathLength");
    }
  }

  /**
   * A thing comes from somewhere, in units of the picture.
   * @param {SVGGraphicsElement} thing
   * @param {number} dx
   * @param {number} dy
   */
  #fly(thing, dx, dy) {
    const start = `${dx}px ${dy}px`;
    const way = thing.dataset.way;
    /** @type {Keyframe[]} */
    let frames = [{ translate: start }, { translate: "0 0" }];
    let easing = "cubic-bezier(.3,.1,.2,1)";
    if (way === "fall") {
      const back = `${dx * -0.03}px ${Math.min(dy * 0.07, 0)}px`;
      easing = "ease-in";
      frames = [
        { translate: start },
        { translate: "0 0", offset: 0.68, easing: "ease-out" },
        { translate: back, offset: 0.84, easing: "ease-in" },
        { translate: "0 0" },
      ];
    } else if (way === "hop") {
      const lift = Math.min(60, 14 + Math.hypot(dx, dy) * 0.15);
      frames = [
        { translate: start, easing: "ease-out" },
        { translate: `${dx / 2}px ${dy / 2 - lift}px`, offset: 0.5, easing: "ease-in" },
        { translate: "0 0" },
      ];
    }
    thing.animate(frames, {
      ...this.#timing(thing),
      easing,
      fill: "backwards",
      composite: thing.dataset.enter && thing.dataset.from ? "add" : "replace",
    });
  }

  /**
   * @param {SVGGraphicsElement} twin
   * @param {DOMPoint} from
   * @param {DOMPoint} to
   */
  #flyTo(twin, from, to) {
    const [dx, dy] = this.#offset(from, to);
    twin.animate([{ translate: "0 0" }, { translate: `${dx}px ${dy}px` }], {
      ...this.#timing(twin),
      easing: "ease-in-out",
      fill: "both",
    });
  }

  /**
   * A few sparks where something bursts.
   * @param {Was} was
   */
  #sparks(was) {
    const centre = this.#inPicture(was.centre);
    const { delay, duration } = this.#timing(was.thing);
    for (let i = 0; i < SPARKS; i++) {
      const angle = (i / SPARKS) * 2 * Math.PI + 0.4;
      const spark = svg("circle", { cx: centre.x, cy: centre.y, r: 3, class: "spark" });
      this.above.append(spark);
      spark.animate(
        [
          { opacity: 1, translate: "0 0" },
          { opacity: 0, translate: `${Math.cos(angle) * 34}px ${Math.sin(angle) * 34}px` },
        ],
        { delay: delay + duration * 0.25, duration, easing: "ease-out", fill: "both" },
      ).onfinish = () => spark.remove();
    }
  }

  // -- places -----------------------------------------------------------------------------------

  /**
   * The centre on the screen of a thing of the picture before, or else of this one.
   * @param {string} id
   */
  #find(id) {
    const thing = this.picture.querySelector(`#${CSS.escape(id)}`);
    return this.before.get(id)?.centre ?? (thing instanceof SVGGraphicsElement && middle(thing));
  }

  /** @param {DOMPoint} point on the screen */
  #inPicture(point) {
    const matrix = this.picture.getScreenCTM();
    return matrix ? point.matrixTransform(matrix.inverse()) : point;
  }

  /**
   * How far one point on the screen is from another, in units of the picture.
   * @param {DOMPoint} to
   * @param {DOMPoint} from
   * @returns {[x: number, y: number]}
   */
  #offset(to, from) {
    const scale = this.picture.getScreenCTM()?.a || 1;
    return [(from.x - to.x) / scale, (from.y - to.y) / scale];
  }

  /**
   * A copy of a thing of the picture before, where it was.
   * @param {Was} was
   */
  #twin({ thing, matrix }) {
    const twin = /** @type {SVGGraphicsElement} */ (thing.cloneNode(true));
    const home = this.picture.getScreenCTM();
    const place = home ? home.inverse().multiply(matrix) : matrix;
    twin.removeAttribute("id");
    twin.removeAttribute("data-touch");
    twin.setAttribute("transform", `translate(${place.e} ${place.f})`);
    for (const inner of twin.querySelectorAll("[id], [data-touch]")) {
      inner.removeAttribute("id");
      inner.removeAttribute("data-touch");
    }
    this.above.append(twin);
    return twin;
  }

  /** @param {SVGElement} thing */
  #timing(thing) {
    const { wait, time } = thing.dataset;
    return {
      delay: Number(wait ?? 0) * this.factor,
      duration: Number(time ?? USUAL) * this.factor,
    };
  }

  /**
   * @param {SVGGraphicsElement} thing
   * @param {Keyframe[]} frames
   * @param {string} easing
   * @param {FillMode} fill
   */
  #run(thing, frames, easing, fill = "backwards") {
    thing.style.transformOrigin = originOf(thing);
    return thing.animate(frames, { ...this.#timing(thing), easing, fill });
  }
}

/**
 * The place of a thing in its surroundings: it turns and grows around it.
 * @param {SVGGraphicsElement} thing
 */
function originOf(thing) {
  const place = thing.transform.baseVal.consolidate()?.matrix;
  return place ? `${place.e}px ${place.f}px` : "";
}
