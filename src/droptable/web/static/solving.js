// @ts-check
// Solving one position after the other: a puzzle, or a mistake of mine. The answers are on the
// server: it is sent the move, and replies with the best line, which is played out on the board.

import { get, messageOf, post } from "./api.js";
import { fill, h, notify } from "./dom.js";
import { t, tn } from "./i18n.js";
import { icon } from "./icons.js";
import { introduce } from "./names.js";
import { boardBox, Scene } from "./scene.js";
import { play } from "./sounds.js";

/** @import { Child, Puzzle, PuzzleReply, Query, Shape } from "./types.d.ts" */

const FIRST_MS = 700; // before the best line is played out
const LINE_MS = 1300; // that a move of it is shown

export class Solver {
  #root;
  #values;
  #next;
  #heading = h("ul", { class: "seats", "aria-label": t("About this puzzle") });
  #prompt = h("p", { class: "prompt", role: "status" }, t("Loading …"));
  #saying = h("div", { class: "saying yours" }, this.#prompt, h("div", { class: "notices" }));
  #panel = h("section", { class: "panel" });
  #scene = new Scene(boardBox());
  /** @type {Puzzle | null} */
  #puzzle = null;
  /** @type {PuzzleReply | null} */
  #reply = null;
  #sending = false;
  #showing = 0; // lines that were begun: only the last one is shown
  #tall = matchMedia("(max-aspect-ratio: 1/1)");

  /**
   * @param {"puzzles" | "mistakes"} root of the addresses
   * @param {Query} values that every question has, such as the game
   * @param {(solver: Solver) => Child} next what can be done after the reply
   */
  constructor(root, values, next) {
    this.#root = root;
    this.#values = values;
    this.#next = next;
    const actions = h("div", { class: "actions" }, this.#scene.buttons);
    this.element = h(
      "main",
      { class: "play" },
      h(
        "div",
        { class: "stage" },
        this.#heading,
        this.#saying,
        actions,
        this.#scene.box,
        this.#panel,
      ),
    );
    this.#scene.on("move", ({ tokens }) => this.#answer(tokens));
    this.#scene.on("walk", () => this.#showPrompt());
    this.#scene.on("impossible", ({ touched }) => this.#explain(touched));
    this.#tall.addEventListener("change", () => this.#redraw());
  }

  get id() {
    return this.#puzzle?.id ?? "";
  }

  /**
   * Put a position on the board: its id, or `next` or `daily`.
   * @param {string} name
   * @param {Query} [more]
   */
  async open(name, more = {}) {
    const values = { ...this.#values, ...more, scene: this.#shape() };
    const puzzle = await get(`${this.#root}/${encodeURIComponent(name)}`, values);
    this.#puzzle = puzzle;
    this.#reply = null;
    this.#showing++;
    document.documentElement.dataset.accent = puzzle.picture.accent;
    document.title = `${puzzle.title} – Droptable`;
    fill(this.#panel);
    this.#showHeading(puzzle);
    this.#present();
    this.#scene.box.focus({ preventScroll: true });
    return puzzle;
  }

  /** Show the position, to be played on unless it was answered. */
  #present() {
    if (!this.#puzzle) return;
    const { picture, legal } = this.#puzzle;
    const { svg, switches, chips = [], fill: filled = null } = picture;
    if (this.#reply) this.#scene.show(svg);
    else this.#scene.present({ svg, beats: [], moves: legal, switches, chips, fill: filled });
    this.#showPrompt();
  }

  async #redraw() {
    if (!this.#puzzle || this.#reply) return;
    const values = { scene: this.#shape() };
    this.#puzzle = await get(`${this.#root}/${this.#puzzle.id}`, values).catch(() => this.#puzzle);
    this.#present();
  }

  /** @param {Puzzle} puzzle */
  #showHeading(puzzle) {
    const about = [
      puzzle.goal,
      puzzle.theme,
      puzzle.mark === "blunder" && t("Blunder"),
      puzzle.mark === "mistake" && t("Mistake"),
      puzzle.rating !== undefined && `${puzzle.difficulty}, ${puzzle.rating}`,
      puzzle.tried === true && t("Solved before"),
      puzzle.tried === false && t("Missed before"),
    ];
    fill(
      this.#heading,
      about.map(
        (text, number) =>
          text &&
          h("li", { class: number ? "seat" : "seat mine" }, h("span", { class: "name" }, text)),
      ),
    );
  }

  #showPrompt() {
    if (this.#reply) return;
    this.#prompt.textContent = this.#scene.say ?? this.#puzzle?.picture.prompt ?? "";
  }

  /** @param {string[]} tokens */
  async #answer(tokens) {
    if (this.#sending || this.#reply || !this.#puzzle) return;
    this.#sending = true;
    try {
      await introduce();
      const path = /** @type {const} */ (`${this.#root}/${this.#puzzle.id}/answer`);
      this.#show(await post(`${path}?scene=${this.#shape()}`, { tokens }));
    } catch (error) {
      this.#scene.reset();
      notify(messageOf(error));
    }
    this.#sending = false;
  }

  /** @param {PuzzleReply} reply */
  #show(reply) {
    this.#reply = reply;
    this.#present(); // nothing can be touched any more
    play(reply.right ? "win" : "error");
    this.#prompt.textContent = reply.right ? t("Right!") : t("Not the best move.");
    fill(this.#panel, this.#verdict(reply));
    this.#panel.querySelector("button")?.focus({ preventScroll: true });
    this.#playLine();
  }

  /** @param {PuzzleReply} reply */
  #verdict(reply) {
    return h(
      "div",
      { class: `ending card-box ${reply.right ? "right" : "wrong"}`, role: "status" },
      h(
        "h2",
        {},
        icon(reply.right ? "check" : "close"),
        reply.right ? t("Right!") : t("Not the best move."),
      ),
      h("p", {}, t("You played: {move}", { move: reply.made })),
      !reply.right && h("p", {}, h("b", {}, t("Better: {move}", { move: reply.best }))),
      reply.why && h("p", {}, reply.why),
      h("p", { class: "soft" }, reply.worth),
      reply.guessed &&
        h("p", { class: "soft" }, t("What was hidden is shown as it might have been.")),
      h("p", { class: "change" }, ratingChange(reply), comesBack(reply)),
      h(
        "div",
        { class: "row" },
        this.#next(this),
        h(
          "button",
          { type: "button", onclick: () => this.#playLine() },
          icon("play"),
          t("Show the best line"),
        ),
      ),
    );
  }

  /** Play the best move, and what belongs to it, on the board. */
  async #playLine() {
    const reply = this.#reply;
    const number = ++this.#showing;
    this.#present();
    await pause(FIRST_MS);
    for (const { svg, text } of reply?.line ?? []) {
      if (number !== this.#showing) return;
      this.#scene.show(svg);
      if (text) this.#prompt.textContent = text;
      await pause(LINE_MS);
    }
  }

  /** @param {string[]} touched */
  async #explain(touched) {
    if (this.#reply || !this.#puzzle) return;
    try {
      const asked = { touched: JSON.stringify(touched) };
      const { reason } = await get(`${this.#root}/${this.#puzzle.id}/why`, asked);
      play("error");
      notify(reason ?? t("That is not possible here."));
    } catch (error) {
      notify(messageOf(error));
    }
  }

  /** @returns {Shape} */
  #shape() {
    return this.#tall.matches ? "tall" : "wide";
  }
}

/** @param {PuzzleReply} reply */
function ratingChange({ rating, before, counted }) {
  if (!rating || !before) return "";
  if (!counted) return t("You have tried this puzzle before: it does not count again.");
  const points = rating.rating - before.rating;
  const change = points < 0 ? `−${-points}` : `+${points}`;
  return h(
    "b",
    { title: t("± {deviation}", { deviation: rating.deviation }) },
    t("Your puzzle rating: {rating} ({change})", {
      rating: rating.rating,
      change,
    }),
  );
}

/** @param {PuzzleReply} reply */
function comesBack({ due, solved, counted, days }) {
  if (due === undefined) return "";
  if (solved) return t("Solved: it does not come back any more.");
  if (!counted) return t("It was not due yet: it comes back as before.");
  return days ? tn("It comes back in {count} day.", "It comes back in {count} days.", days) : "";
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
