// @ts-check
// The Markdown of rules as elements: headings, paragraphs, lists, bold, emphasis, code. No HTML.

import { h } from "./dom.js";

/** @typedef {{ number: string, title: string, body: HTMLElement[] }} Rule */

/** @type {["`" | "**" | "*", "code" | "b" | "em"][]} */
const TAGS = [
  ["`", "code"],
  ["**", "b"],
  ["*", "em"],
];

/**
 * The introduction, and the rules by their numbers.
 * @param {string} text
 */
export function readRules(text) {
  const [head, ...parts] = text.split("\n## ");
  const intro = blocks(head.replace(/^# .*\n/, ""));
  const rules = parts.map((part) => {
    const [heading, ...lines] = part.split("\n");
    const [number, ...title] = heading.split(" ");
    return { number, title: title.join(" "), body: blocks(lines.join("\n")) };
  });
  return { intro, rules };
}

/** @param {string} text */
function blocks(text) {
  return text
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter(Boolean)
    .map(block);
}

/** @param {string} text */
function block(text) {
  const items = text.split(/\n(?=[-*] )/);
  if (!items.every((item) => /^[-*] /.test(item))) return h("p", {}, inline(text));
  const points = items.map((item) => h("li", {}, inline(item.slice(2))));
  return h("ul", {}, points);
}

/** @param {string} text */
function inline(text) {
  const parts = text.replace(/\s+/g, " ").split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/);
  return parts.map((part, number) => {
    const marked = number % 2 === 1 && TAGS.find(([sign]) => part.startsWith(sign));
    if (!marked) return part;
    const [sign, tag] = marked;
    return h(tag, {}, part.slice(sign.length, -sign.length));
  });
}
