// @ts-check
// Icons for buttons, drawn with one path each on a grid of 24 units.

import { svg } from "./svg.js";

const PATHS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.7.7 1 1.5 1 2.5h6c0-1 .3-1.8 1-2.5A6 6 0 0 0 12 3z",
  rules: "M4 5a2 2 0 0 1 2-2h13v16H6a2 2 0 0 0-2 2zM4 21a2 2 0 0 0 2 0h13M8 7h7M8 11h7",
  chat: "M4 5h16v11H9l-5 4z",
  log: "M4 6h2M10 6h10M4 12h2M10 12h10M4 18h2M10 18h6",
  resign: "M6 21V4M6 4h11l-2 4 2 4H6",
  bot: "M5 9h14v10H5zM12 9V5M9 13v2M15 13v2M2 13v3M22 13v3",
  back: "M7 4l12 8-12 8z",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4",
  close: "M6 6l12 12M18 6 6 18",
  send: "M4 12 20 4l-5 16-3-7z",
  trophy: "M7 4h10v5a5 5 0 0 1-10 0zM7 5H4c0 3 1 5 3 5M17 5h3c0 3-1 5-3 5M12 14v4M8 21h8M9 18h6",
  full: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  play: "M7 4l12 8-12 8z",
  pause: "M8 5v14M16 5v14",
  step: "M9 5l7 7-7 7",
  "step-back": "M15 5l-7 7 7 7",
  first: "M18 5l-7 7 7 7M6 5v14",
  last: "M6 5l7 7-7 7M18 5v14",
  mistake: "M12 3 22 20H2zM12 10v4M12 17v.2",
  download: "M12 4v11M7 10l5 5 5-5M4 20h16",
  file: "M6 3h8l5 5v13H6zM14 3v5h5",
  coach: "M3 18l5-6 4 3 8-9M15 6h5v5",
  again: "M4 12a8 8 0 1 1 2.4 5.7M4 19v-5h5",
  next: "M4 12h15M13 6l6 6-6 6",
  drop: "M12 4v12M6 11l6 6 6-6M5 20h14",
  offline: "M4 9a12 12 0 0 1 16 0M7 12.5a8 8 0 0 1 10 0M10 16a4 4 0 0 1 4 0M12 19.5v.1M4 3l16 18",
  pencil: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2.2.8 3.5 2.7 3.5 5.5",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7.5V12l3 2",
  copy: "M9 9h11v12H9zM5 15H4V3h11v2",
  share: "M12 15V4M8 7.5 12 3.5l4 4M6 12H5v8h14v-8h-1",
  check: "M4 12.5 9.5 18 20 6.5",
};

/** @typedef {keyof typeof PATHS} IconName */

/**
 * An icon. It is decoration only, so its button needs a label.
 * @param {IconName} name
 */
export function icon(name) {
  const attributes = { viewBox: "0 0 24 24", class: "ico", "aria-hidden": "true" };
  return svg("svg", attributes, svg("path", { d: PATHS[name] }));
}
