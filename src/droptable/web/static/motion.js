// @ts-check
// From one picture to the next: what has moved comes from where it was, what is new appears.

const MOVE_MS = 380;
const FEW = 6; // with more new things than that it is another picture
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {Map<string, DOMMatrix | null>} Places where things are on the screen, by id */

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
  return new Map(movables(picture).map((thing) => [thing.id, thing.getCTM()]));
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

/**
 * Animate the way from where things were to where they are now.
 * @param {SVGElement} picture
 * @param {Places} before
 */
export function animate(picture, before) {
  if (calm.matches) return;
  for (const thing of movables(picture)) {
    const parent = thing.parentNode;
    if (!(parent instanceof SVGGraphicsElement) || parent.closest("[id][transform]")) continue;
    const home = parent.getCTM();
    const now = thing.getCTM();
    const was = before.get(thing.id);
    if (!now || !home) continue;
    if (!was) thing.animate([{ opacity: 0 }, { opacity: 1 }], { duration: MOVE_MS });
    else if (Math.abs(was.e - now.e) + Math.abs(was.f - now.f) > 0.5)
      slide(thing, home.inverse().multiply(was), home.inverse().multiply(now));
  }
}

/**
 * @param {SVGGraphicsElement} thing
 * @param {DOMMatrix} from
 * @param {DOMMatrix} to
 */
function slide(thing, from, to) {
  const frames = [from, to].map(({ a, b, c, d, e, f }) => ({
    transform: `matrix(${a},${b},${c},${d},${e},${f})`,
  }));
  thing.animate(frames, { duration: MOVE_MS, easing: "cubic-bezier(.3,.1,.2,1)" });
}
