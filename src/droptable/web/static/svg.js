// @ts-check
// SVG elements: made one by one, or parsed from the text of a picture.

const NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * An SVG element with attributes and children.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {(Node | string)[]} children
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * The picture in a text, ready to be put on the page.
 * @param {string} text
 */
export function parsePicture(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(parsed, true)));
}

/**
 * The elements of a part of a picture, such as a ghost.
 * @param {string} text
 */
export function parsePart(text) {
  return [...parsePicture(`<svg xmlns="${NAMESPACE}">${text}</svg>`).childNodes];
}
