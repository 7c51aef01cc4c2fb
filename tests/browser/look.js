// @ts-check
// What is wrong with a page as it is shown now: a list of [kind, what].
() => {
  /** @typedef {{ x: number, y: number, r: number, b: number }} Edges left, top, right, bottom */
  /** @typedef {Edges & { at: number }} Box of what is drawn as number `at` */

  const SMALLEST = 11.9; // pixels of text
  const TARGET = 43.5; // pixels for a finger
  const SLACK = 1.5; // pixels that boxes may overlap
  const CONTROLS = [
    "button",
    "select",
    "summary",
    "a.button",
    "input:not([type=range]):not([type=checkbox]):not([type=radio]):not([type=file])",
  ];
  const width = innerWidth;
  /** @type {[kind: string, what: string][]} */
  const offences = [];

  /**
   * @param {string} kind
   * @param {string} what
   */
  function report(kind, what) {
    offences.push([kind, what]);
  }

  /** @param {Element} node */
  function isSeen(node) {
    const box = node.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) return false;
    if (getComputedStyle(node).visibility === "hidden") return false;
    return !node.closest(".for-readers, [hidden], details:not([open]) > :not(summary)");
  }

  /** @param {Element} node */
  function words(node) {
    const text = node.getAttribute("aria-label") || node.textContent;
    return (text || node.getAttribute("class") || node.tagName).trim().slice(0, 40);
  }

  /**
   * Whether something around it scrolls or clips it sideways.
   * @param {Element} node
   */
  function isClipped(node) {
    for (let up = node.parentElement; up && up !== document.body; up = up.parentElement)
      if (/auto|scroll|hidden|clip/.test(getComputedStyle(up).overflowX)) return true;
    return false;
  }

  /** @param {Element} node */
  function hasOwnText(node) {
    if (node instanceof SVGElement) return node.tagName === "text";
    return [...node.childNodes].some((part) => part instanceof Text && part.data.trim());
  }

  /** @param {Element} node */
  function scaleOf(node) {
    const matrix = node instanceof SVGGraphicsElement ? node.getScreenCTM() : null;
    return matrix ? Math.hypot(matrix.a, matrix.b) : 1; // also of what stands on its head
  }

  function checkText() {
    for (const node of document.body.querySelectorAll("*")) {
      if (!hasOwnText(node) || !isSeen(node) || !node.textContent?.trim()) continue;
      const size = parseFloat(getComputedStyle(node).fontSize) * scaleOf(node);
      if (size < SMALLEST) report("small text", `${size.toFixed(1)} px: ${words(node)}`);
    }
  }

  /** What is cut off at the side, or by its own box. */
  function checkEdges() {
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > width) report("scrolls sideways", `${scrollWidth} > ${width}`);
    const nodes = [...document.body.querySelectorAll("*:not(svg *)")].filter(isSeen);
    for (const node of nodes) {
      const { left, right } = node.getBoundingClientRect();
      const outside = right > width + 1 || left < -1;
      if (outside && !isClipped(node))
        report("cut off", `${words(node)} (${Math.round(left)} to ${Math.round(right)})`);
    }
    for (const node of nodes.filter((one) => one.matches("button, a.button, .button")))
      if (node.scrollWidth > node.clientWidth + 2)
        report("cut off", `inside a button: ${words(node)}`);
  }

  function checkTargets() {
    for (const node of document.querySelectorAll(".board > svg .can"))
      checkTarget(node, `${node.getAttribute("data-touch")?.replace(/[\d,-]+$/, "")}`);
    for (const node of document.querySelectorAll(CONTROLS.join(", ")))
      if (isSeen(node) && !node.closest("svg"))
        checkTarget(node, `${node.tagName.toLowerCase()}.${node.className || words(node)}`);
  }

  /**
   * @param {Element} node
   * @param {string} name
   */
  function checkTarget(node, name) {
    const box = node.getBoundingClientRect();
    if (Math.min(box.width, box.height) < TARGET)
      report("small target", `${name}: ${Math.round(box.width)} x ${Math.round(box.height)}`);
  }

  // -- texts of the board that overlap, or are half covered by something drawn over them ----------

  /**
   * The letters of a text, without the ascent and descent that few of them use.
   * @param {Element} node
   * @param {number} at
   * @returns {Box}
   */
  function inkOf(node, at) {
    const { left, right, top, bottom, height } = node.getBoundingClientRect();
    const air = height * 0.22;
    return { at, x: left + 1, y: top + air, r: right - 1, b: bottom - air };
  }

  /** @param {Element} node */
  function edges(node) {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return { x: left, y: top, r: right, b: bottom };
  }

  /** @param {Element} node */
  function isOpaque(node) {
    const { fill, fillOpacity } = getComputedStyle(node);
    return fill !== "none" && !/, 0(\.\d+)?\)$/.test(fill) && fillOpacity === "1";
  }

  /**
   * @param {Edges} a
   * @param {Edges} b
   */
  function common(a, b) {
    return {
      x: Math.max(a.x, b.x),
      y: Math.max(a.y, b.y),
      r: Math.min(a.r, b.r),
      b: Math.min(a.b, b.b),
    };
  }

  /** @param {Edges} box */
  function area({ x, y, r, b }, slack = 0) {
    return r - x < slack || b - y < slack ? 0 : (r - x) * (b - y);
  }

  /**
   * @param {Edges} a
   * @param {Edges} b
   */
  function isInside(a, b) {
    return a.x >= b.x - 1 && a.y >= b.y - 1 && a.r <= b.r + 1 && a.b <= b.b + 1;
  }

  /** @param {Element} picture */
  function checkBoard(picture) {
    const frame = edges(picture);
    const drawn = [...picture.querySelectorAll("text, rect")].filter(
      (node) => node.getBoundingClientRect().width > 0 && !node.closest(".ghost"),
    );
    const texts = drawn.flatMap((node, at) =>
      node.tagName === "text" && node.textContent ? [{ node, ink: inkOf(node, at) }] : [],
    );
    const covers = drawn.flatMap((node, at) =>
      node.tagName === "rect" && isOpaque(node) ? [{ at, ...edges(node) }] : [],
    );
    for (const { node, ink } of texts)
      if (!isInside(ink, frame)) report("outside the picture", words(node));
    const visible = texts.filter(({ node, ink }) => !isHidden(node, ink, covers));
    for (const [number, text] of visible.entries())
      for (const other of visible.slice(number + 1)) checkOverlap(text, other, covers);
  }

  /**
   * Whether a text is covered as a whole; what is half covered is an offence.
   * @param {Element} node
   * @param {Box} ink
   * @param {Box[]} covers
   */
  function isHidden(node, ink, covers) {
    let hidden = false;
    for (const cover of covers.filter((one) => one.at > ink.at)) {
      const share = area(common(ink, cover), SLACK * scaleOf(node)) / area(ink);
      if (share > 0.9) hidden = true;
      else if (share > 0.12)
        report("half covered", `${words(node)} in ${words(node.closest("[id]") ?? node)}`);
    }
    return hidden;
  }

  /**
   * @param {{ node: Element, ink: Box }} lower
   * @param {{ node: Element, ink: Box }} upper
   * @param {Box[]} covers
   */
  function checkOverlap(lower, upper, covers) {
    const both = common(lower.ink, upper.ink);
    if (!area(both, SLACK)) return;
    const between = covers.filter(({ at }) => at > lower.ink.at && at < upper.ink.at);
    if (!between.some((cover) => isInside(both, cover)))
      report("texts overlap", `${words(lower.node)} | ${words(upper.node)}`);
  }

  checkText();
  checkEdges();
  checkTargets();
  const board = document.querySelector(".board > svg");
  if (board) checkBoard(board);
  return offences;
};
