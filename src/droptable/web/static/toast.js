// @ts-check
// A word from somebody, shown for a moment at the edge of the page; clicks go through it.

import { h } from "./dom.js";

const SECONDS = 5;

/** @param {string} text */
export function toast(text) {
  document.querySelector(".toast")?.remove();
  const box = document.body.appendChild(h("div", { class: "toast", role: "status" }, text));
  setTimeout(() => box.remove(), SECONDS * 1000);
}
