// The rules' Markdown as elements: headings, paragraphs, lists, bold, emphasis and code. No HTML.
import { h } from "./dom.js";

/** The introduction, and the rules by their numbers: {intro, rules: [{number, title, body}]}. */
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

function blocks(text) {
  return text
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter(Boolean)
    .map((block) => {
      const items = block.split(/\n(?=[-*] )/);
      if (items.every((item) => /^[-*] /.test(item)))
        return h(
          "ul",
          {},
          items.map((item) => h("li", {}, inline(item.slice(2)))),
        );
      return h("p", {}, inline(block));
    });
}

const KINDS = [
  ["`", "code"],
  ["**", "b"],
  ["*", "em"],
];

function inline(text) {
  const parts = text.replace(/\s+/g, " ").split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/);
  return parts.map((part, at) => {
    if (at % 2 === 0) return part;
    const [mark, tag] = KINDS.find(([sign]) => part.startsWith(sign));
    return h(tag, {}, part.slice(mark.length, -mark.length));
  });
}
