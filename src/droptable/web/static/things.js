// @ts-check
// The things of a picture that can be touched, and how they show it.

/**
 * @param {Element} picture
 * @returns {SVGElement[]}
 */
export function thingsIn(picture) {
  return [...picture.querySelectorAll("[data-touch]")].filter(
    (element) => element instanceof SVGElement,
  );
}

/**
 * The thing that is meant: things may lie on others, and the one that can be touched counts.
 * @param {EventTarget | null} target
 */
export function thingAt(target) {
  if (!(target instanceof Element)) return null;
  const thing = target.closest(".can, .picked") ?? target.closest("[data-touch]");
  return thing instanceof SVGElement ? thing : null;
}

/** @param {EventTarget | null} target */
export function nameOf(target) {
  return thingAt(target)?.dataset.touch ?? null;
}

/** @param {Element} thing */
export function isPicked(thing) {
  return thing.classList.contains("picked");
}

/** @param {Element} thing */
export function canBeTouched(thing) {
  return thing.classList.contains("can");
}

/**
 * Things that can be used are buttons, to the keyboard and to screen readers.
 * @param {SVGElement} thing
 * @param {boolean} usable
 * @param {boolean} pressed
 */
export function setButton(thing, usable, pressed) {
  thing.setAttribute("role", usable ? "button" : "img");
  for (const [name, value] of Object.entries({ tabindex: "0", "aria-pressed": String(pressed) })) {
    if (usable) thing.setAttribute(name, value);
    else thing.removeAttribute(name);
  }
}

/**
 * The centre of a thing on the screen.
 * @param {Element} thing
 * @returns {[x: number, y: number]}
 */
export function centre(thing) {
  const box = thing.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
