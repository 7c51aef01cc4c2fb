// @ts-check
// The rules of a game to look things up during a match: first, why the last touch was refused.

import { get, messageOf } from "./api.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { readRules } from "./markdown.js";

/** @import { Child } from "./types.d.ts" */
/** @import { Rule } from "./markdown.js" */

const CODE = /\s*\(([A-Z]+\d+)\)/; // of a rule, behind a sentence

/**
 * A sentence whose rule codes are small links.
 * @param {string} sentence
 * @param {(rule: string) => unknown} open
 * @returns {Child[]}
 */
export function withLinks(sentence, open) {
  return sentence.split(CODE).map((part, number) => {
    if (number % 2 === 0) return part;
    const label = t("Rule {rule}", { rule: part });
    const attributes = { class: "rule-link", type: "button", "aria-label": label, title: label };
    return [" ", h("button", { ...attributes, onclick: () => open(part) }, part)];
  });
}

/** The number of the rule that a sentence cites. @param {string} sentence */
export function ruleOf(sentence) {
  return CODE.exec(sentence)?.[1] ?? "";
}

export class RuleBook {
  game = "";
  #why = h("section", { class: "why" });
  #text = h("div", { class: "rule-text" }, t("Loading …"));
  /** @type {Promise<unknown> | null} */
  #loading = null;
  /** @type {Rule[]} */
  #rules = [];
  #reason = "";

  constructor() {
    this.element = h("div", { class: "rule-book" }, this.#why, this.#text);
    this.#showReason();
  }

  /** Fetch the rules, once. */
  load() {
    this.#loading ??= this.#load().catch((error) => {
      this.#loading = null;
      fill(this.#text, h("p", { class: "bad" }, messageOf(error)));
    });
  }

  /**
   * @param {string} game
   * @param {string} reason
   */
  explain(game, reason) {
    this.game = game;
    this.#reason = reason;
    this.#showReason();
  }

  async #load() {
    const { text } = await get(`games/${this.game}/rules`);
    const { intro, rules } = readRules(text);
    this.#rules = rules;
    fill(
      this.#text,
      intro,
      h(
        "p",
        {},
        h(
          "a",
          { href: `learn/${this.game}`, target: "_blank" },
          t("With pictures and exercises (opens a new tab)"),
        ),
      ),
      rules.map(section),
    );
    this.#showReason();
  }

  #showReason() {
    const rule = this.#rules.find(({ number }) => number === ruleOf(this.#reason));
    fill(
      this.#why,
      h("h3", {}, t("Why can I not …?")),
      h(
        "p",
        {},
        this.#reason
          ? withLinks(this.#reason, (number) => this.#goTo(number))
          : t("Touch what does not work: the reason will stand here, with its rule."),
      ),
      rule && h("blockquote", {}, h("b", {}, rule.title), clone(rule.body)),
    );
  }

  /** @param {string} number */
  #goTo(number) {
    const target = this.#text.querySelector(`[data-rule="${CSS.escape(number)}"]`);
    target?.scrollIntoView({ block: "start" });
  }
}

/** @param {HTMLElement[]} nodes */
function clone(nodes) {
  return nodes.map((node) => node.cloneNode(true));
}

/** @param {Rule} rule */
function section({ number, title, body }) {
  return h(
    "section",
    { "data-rule": number },
    h("h4", {}, title, " ", h("small", { class: "soft" }, number)),
    body,
  );
}
