// What is wrong with a page as it is shown now: a list of [kind, what].
() => {
  const SMALLEST = 11.9,
    TARGET = 43.5,
    SLACK = 1.5;
  const found = [];
  const wide = innerWidth;
  const say = (kind, what) => found.push([kind, what]);
  const seen = (node) => {
    const box = node.getBoundingClientRect(),
      style = getComputedStyle(node);
    return (
      box.width > 1 &&
      box.height > 1 &&
      style.visibility !== "hidden" &&
      !node.closest(".for-readers, [hidden], details:not([open]) > :not(summary)")
    );
  };
  const words = (node) =>
    (node.getAttribute?.("aria-label") || node.textContent || node.className || node.tagName)
      .trim()
      .slice(0, 40);
  const scrolls = (node) => {
    for (let up = node.parentElement; up && up !== document.body; up = up.parentElement)
      if (/auto|scroll|hidden|clip/.test(getComputedStyle(up).overflowX)) return true;
    return false;
  };

  if (document.documentElement.scrollWidth > wide)
    say("scrolls sideways", `${document.documentElement.scrollWidth} > ${wide}`);

  // Text that is too small.
  for (const node of document.body.querySelectorAll("*")) {
    const svg = node instanceof SVGElement;
    if (
      svg
        ? node.tagName !== "text"
        : ![...node.childNodes].some((part) => part.nodeType === 3 && part.data.trim())
    )
      continue;
    if (!seen(node) || !node.textContent.trim()) continue;
    const size = parseFloat(getComputedStyle(node).fontSize) * (svg ? node.getScreenCTM().a : 1);
    if (size < SMALLEST) say("small text", `${size.toFixed(1)} px: ${words(node)}`);
  }

  // What is cut off at the side, or by its own box.
  for (const node of document.body.querySelectorAll("*:not(svg *)")) {
    if (!seen(node)) continue;
    const box = node.getBoundingClientRect();
    if ((box.right > wide + 1 || box.left < -1) && !scrolls(node))
      say("cut off", `${words(node)} (${Math.round(box.left)} to ${Math.round(box.right)})`);
    if (node.matches("button, a.button, .button") && node.scrollWidth > node.clientWidth + 2)
      say("cut off", `inside a button: ${words(node)}`);
  }

  // Texts of the board that overlap, or are half covered by something drawn over them.
  const picture = document.querySelector(".board > svg");
  if (picture) {
    const frame = picture.getBoundingClientRect();
    const order = [...picture.querySelectorAll("text, rect")].filter(
      (node) => node.getBoundingClientRect().width > 0 && !node.closest(".ghost"),
    );
    const ink = new Map(),
      cover = [];
    order.forEach((node, at) => {
      const box = node.getBoundingClientRect();
      if (node.tagName === "text") {
        const air = box.height * 0.22; // ascent and descent that letters and numbers do not use
        if (node.textContent)
          ink.set(node, {
            at,
            x: box.left + 1,
            y: box.top + air,
            r: box.right - 1,
            b: box.bottom - air,
          });
        return;
      }
      const style = getComputedStyle(node);
      if (style.fill !== "none" && !/, 0(\.\d+)?\)$/.test(style.fill) && style.fillOpacity === "1")
        cover.push({ at, x: box.left, y: box.top, r: box.right, b: box.bottom });
    });
    const common = (a, b) => ({
      x: Math.max(a.x, b.x),
      y: Math.max(a.y, b.y),
      r: Math.min(a.r, b.r),
      b: Math.min(a.b, b.b),
    });
    const inside = (a, b) => a.x >= b.x - 1 && a.y >= b.y - 1 && a.r <= b.r + 1 && a.b <= b.b + 1;
    const hidden = new Set();
    for (const [node, box] of ink) {
      const scale = node.getScreenCTM().a;
      if (
        box.x < frame.left - 1 ||
        box.r > frame.right + 1 ||
        box.y < frame.top - 1 ||
        box.b > frame.bottom + 1
      )
        say("outside the picture", words(node));
      for (const over of cover.filter((one) => one.at > box.at)) {
        const both = common(box, over);
        if (both.r - both.x < SLACK * scale || both.b - both.y < SLACK * scale) continue;
        const share = ((both.r - both.x) * (both.b - both.y)) / ((box.r - box.x) * (box.b - box.y));
        if (share > 0.9) hidden.add(node);
        else if (share > 0.12)
          say("half covered", `${words(node)} in ${words(node.closest("[id]") ?? node)}`);
      }
    }
    const texts = [...ink].filter(([node]) => !hidden.has(node));
    texts.forEach(([node, box], i) => {
      for (const [other, next] of texts.slice(i + 1)) {
        const both = common(box, next);
        if (both.r - both.x < SLACK || both.b - both.y < SLACK) continue;
        if (cover.some((one) => one.at > box.at && one.at < next.at && inside(both, one))) continue;
        say("texts overlap", `${words(node)} | ${words(other)}`);
      }
    });
    for (const node of picture.querySelectorAll(".can")) {
      const box = node.getBoundingClientRect();
      if (Math.min(box.width, box.height) < TARGET)
        say(
          "small target",
          `${node.dataset.touch.replace(/[\d,-]+$/, "")}: ${Math.round(box.width)} x ${Math.round(box.height)}`,
        );
    }
  }
  for (const node of document.querySelectorAll(
    "button, select, summary, input:not([type=range]):not([type=checkbox]):not([type=radio]):not([type=file]), a.button",
  )) {
    const box = node.getBoundingClientRect();
    if (seen(node) && !node.closest("svg") && (box.height < TARGET || box.width < TARGET))
      say(
        "small target",
        `${node.tagName.toLowerCase()}.${node.className || words(node)}: ${box.width < TARGET ? `${Math.round(box.width)} wide` : ""} ${box.height < TARGET ? `${Math.round(box.height)} high` : ""}`,
      );
  }
  return found;
};
