// Exercises on a scene. The server has the answers; here is only what was touched, and what it said.
import { post } from "./api.js";
import { fill, h, notify } from "./dom.js";
import { icon } from "./icons.js";
import { Scene } from "./scene.js";
import { t } from "./i18n.js";

const KEPT = "learned"; // {game: [numbers of exercises that were solved]}

export function solved(game) {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEPT) ?? "{}")[game] ?? []);
  } catch {
    return new Set();
  }
}

function keep(game, number) {
  const all = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  all[game] = [...solved(game).add(number)];
  localStorage.setItem(KEPT, JSON.stringify(all));
}

export class Exercises {
  #stage = h("div", {});
  #scene = null;
  #steps = h("nav", { class: "steps", "aria-label": t("Exercises") });
  #question = h("p", { class: "question", tabindex: "-1" });
  #buttons = h("div", { class: "moves" });
  #reply = h("div", { class: "reply", role: "status" });
  #now = 0;
  #done = false;

  constructor(lessons, shape) {
    this.game = lessons.name;
    this.exercises = lessons.exercises;
    this.shape = shape;
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
    const first = this.exercises.findIndex((_, index) => !solved(this.game).has(index + 1));
    this.show(Math.max(first, 0), false);
  }

  /** Put an exercise on the board. */
  show(index, focus = true) {
    this.#now = index;
    this.#done = false;
    const exercise = this.exercises[index];
    this.#scene = this.#fresh();
    this.#scene.show(exercise.svg, exercise.moves, exercise.switches);
    this.#question.textContent = exercise.question;
    fill(this.#reply);
    this.#showButtons();
    this.#showSteps();
    if (focus) this.#question.focus();
  }

  /** Other pictures of the same exercises, when the screen was turned. */
  redraw(lessons, shape) {
    this.exercises = lessons.exercises;
    this.shape = shape;
    this.show(this.#now, false);
  }

  /** A new board: one exercise does not turn into the next. */
  #fresh() {
    const board = h("div", {
      class: "board",
      role: "application",
      "aria-label": t(
        "The board: arrow keys go from thing to thing, Enter touches, Escape starts over",
      ),
    });
    fill(this.#stage, board);
    const scene = new Scene(board);
    scene.addEventListener("move", () => this.#answer(scene.walk.touched));
    scene.addEventListener(
      "impossible",
      ({ detail }) => this.#done || this.#answer(detail.touched),
    );
    return scene;
  }

  #showSteps() {
    const known = solved(this.game);
    fill(
      this.#steps,
      this.exercises.map((_, index) =>
        h(
          "button",
          {
            type: "button",
            class: known.has(index + 1) ? "known" : "",
            "aria-current": index === this.#now ? "step" : null,
            "aria-label": known.has(index + 1)
              ? t("Exercise {number}, solved", { number: index + 1 })
              : t("Exercise {number}", { number: index + 1 }),
            onclick: () => this.show(index),
          },
          known.has(index + 1) ? icon("check") : String(index + 1),
        ),
      ),
    );
  }

  #showButtons() {
    fill(
      this.#buttons,
      this.exercises[this.#now].moves
        .filter((move) => move.path.length === 1 && String(move.path[0]).startsWith("do-"))
        .map((move) =>
          h(
            "button",
            { type: "button", disabled: this.#done, onclick: () => this.#answer(move.path) },
            move.label,
          ),
        ),
    );
  }

  async #answer(touched) {
    const number = this.#now + 1;
    try {
      const reply = await post(`games/${this.game}/exercises/${number}?scene=${this.shape}`, {
        touched,
      });
      if (number === this.#now + 1) this.#say(reply);
    } catch (error) {
      notify(error.message);
    }
  }

  #say(reply) {
    const last = this.#now + 1 === this.exercises.length;
    const rule = h(
      "a",
      { class: "rule", href: `learn/${this.game}#${reply.rule}` },
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
      reply.right &&
        !last &&
        h(
          "button",
          { class: "main", type: "button", onclick: () => this.show(this.#now + 1) },
          t("Next exercise"),
        ),
      reply.right &&
        last &&
        h(
          "p",
          { class: "soft" },
          t("That was the last exercise. You know the rules that people get wrong."),
        ),
    );
    if (!reply.right) return this.#scene.reset();
    this.#done = true;
    keep(this.game, this.#now + 1);
    if (reply.svg) this.#scene.show(reply.svg);
    this.#showButtons();
    this.#showSteps();
    return undefined;
  }
}
