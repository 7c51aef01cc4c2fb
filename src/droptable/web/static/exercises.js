// @ts-check
// Exercises on a scene. The answers are on the server: it is sent what was touched, and replies.

import { messageOf, post } from "./api.js";
import { fill, h, notify } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";
import { isButton } from "./paths.js";
import { boardBox, Scene } from "./scene.js";

/** @import { ExerciseReply, Lessons, Shape } from "./types.d.ts" */

const SOLVED = "learned"; // the key in localStorage of {game: [numbers of solved exercises]}

/**
 * The numbers of the exercises that were solved on this device.
 * @param {string} game
 * @returns {Set<number>}
 */
export function solved(game) {
  return new Set(allSolved()[game] ?? []);
}

/** @returns {Record<string, number[]>} */
function allSolved() {
  try {
    return JSON.parse(localStorage.getItem(SOLVED) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * @param {string} game
 * @param {number} number
 */
function remember(game, number) {
  const all = { ...allSolved(), [game]: [...solved(game).add(number)] };
  localStorage.setItem(SOLVED, JSON.stringify(all));
}

export class Exercises {
  #game;
  #exercises;
  #shape;
  #stage = h("div", {});
  #steps = h("nav", { class: "steps", "aria-label": t("Exercises") });
  #question = h("p", { class: "question", tabindex: "-1" });
  #buttons = h("div", { class: "moves" });
  #reply = h("div", { class: "reply", role: "status" });
  /** @type {Scene | null} */
  #scene = null;
  #now = 0;
  #done = false;

  /**
   * @param {Lessons} lessons
   * @param {Shape} shape
   */
  constructor(lessons, shape) {
    this.#game = lessons.name;
    this.#exercises = lessons.exercises;
    this.#shape = shape;
    this.element = h(
      "section",
      { class: "exercises card-box", id: "exercises", "aria-labelledby": "exercises-title" },
      h("h2", { id: "exercises-title" }, t("Exercises")),
      this.#steps,
      this.#question,
      this.#stage,
      this.#buttons,
      this.#reply,
    );
    const known = solved(this.#game);
    const first = this.#exercises.findIndex((_, index) => !known.has(index + 1));
    this.#show(Math.max(first, 0));
  }

  /**
   * Other pictures of the same exercises, when the screen was turned.
   * @param {Lessons} lessons
   * @param {Shape} shape
   */
  redraw(lessons, shape) {
    this.#exercises = lessons.exercises;
    this.#shape = shape;
    this.#show(this.#now);
  }

  /**
   * Put an exercise on the board.
   * @param {number} index
   */
  #show(index) {
    this.#now = index;
    this.#done = false;
    const exercise = this.#exercises[index];
    this.#scene = this.#newScene();
    this.#scene.show(exercise.svg, exercise.moves, exercise.switches);
    this.#question.textContent = exercise.question;
    fill(this.#reply);
    this.#showButtons();
    this.#showSteps();
  }

  /** @param {number} index */
  #goTo(index) {
    this.#show(index);
    this.#question.focus();
  }

  /** A new board each time: one exercise does not turn into the next. */
  #newScene() {
    const board = boardBox();
    fill(this.#stage, board);
    const scene = new Scene(board);
    scene.on("move", () => this.#answer(scene.walk.touched));
    scene.on("impossible", ({ touched }) => this.#done || this.#answer(touched));
    return scene;
  }

  #showSteps() {
    const known = solved(this.#game);
    fill(
      this.#steps,
      this.#exercises.map((_, index) => this.#step(index, known.has(index + 1))),
    );
  }

  /**
   * @param {number} index
   * @param {boolean} known
   */
  #step(index, known) {
    const number = index + 1;
    return h(
      "button",
      {
        type: "button",
        class: known && "known",
        "aria-current": index === this.#now ? "step" : null,
        "aria-label": known
          ? t("Exercise {number}, solved", { number })
          : t("Exercise {number}", { number }),
        onclick: () => this.#goTo(index),
      },
      known ? icon("check") : String(number),
    );
  }

  #showButtons() {
    const moves = this.#exercises[this.#now].moves.filter(isButton);
    fill(
      this.#buttons,
      moves.map((move) =>
        h(
          "button",
          { type: "button", disabled: this.#done, onclick: () => this.#answer(move.path.flat()) },
          move.label,
        ),
      ),
    );
  }

  /** @param {string[]} touched */
  async #answer(touched) {
    const number = this.#now + 1;
    const path = /** @type {const} */ (`games/${this.#game}/exercises/${number}`);
    try {
      const reply = await post(`${path}?scene=${this.#shape}`, { touched });
      if (number === this.#now + 1) this.#showReply(reply);
    } catch (error) {
      notify(messageOf(error));
    }
  }

  /** @param {ExerciseReply} reply */
  #showReply(reply) {
    const rule = h(
      "a",
      { class: "rule", href: `learn/${this.#game}#${reply.rule}` },
      t("Rule {number}", { number: reply.rule }),
    );
    fill(
      this.#reply,
      h(
        "p",
        { class: reply.right ? "right" : "wrong" },
        icon(reply.right ? "check" : "close"),
        h("span", {}, reply.text, " ", rule),
      ),
      reply.right && this.#whatNext(),
    );
    if (reply.right) this.#finish(reply);
    else this.#scene?.reset();
  }

  #whatNext() {
    const next = this.#now + 1;
    if (next === this.#exercises.length)
      return h(
        "p",
        { class: "soft" },
        t("That was the last exercise. You know the rules that people get wrong."),
      );
    return h(
      "button",
      { class: "main", type: "button", onclick: () => this.#goTo(next) },
      t("Next exercise"),
    );
  }

  /** @param {ExerciseReply} reply */
  #finish(reply) {
    this.#done = true;
    remember(this.#game, this.#now + 1);
    if (reply.svg) this.#scene?.show(reply.svg);
    this.#showButtons();
    this.#showSteps();
  }
}
