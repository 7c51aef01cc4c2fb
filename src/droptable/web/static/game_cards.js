// @ts-check
// The games on the start page: large pictures that come alive, and what can be done at once.

import { h } from "./dom.js";
import { t, tn } from "./i18n.js";
import { icon } from "./icons.js";
import { matchPicture } from "./top.js";

/** @import { Game } from "./types.d.ts" */

const MOMENTS = [1, 2, 3, 4, 0]; // of the match that is shown; 0 is its best one
const MOMENT_MS = 1100;
const BEST_MS = 2600;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const hovers = matchMedia("(hover: hover)");

/** @typedef {(game: Game) => unknown} Act */

/**
 * @param {Game} game
 * @param {{ playNow: Act, solo: Act, setUp: Act }} acts
 */
export function gameCard(game, { playNow, solo, setUp }) {
  const moving = new MovingPicture(game);
  const learn = t("Learn {game}", { game: game.title });
  return h(
    "article",
    { class: "game", "data-accent": game.accent, "data-game": game.name },
    moving.element,
    h(
      "div",
      { class: "about" },
      h(
        "div",
        { class: "title-line" },
        h("h2", {}, game.title),
        h("a", { href: `learn/${game.name}`, "aria-label": learn }, t("Learn")),
      ),
      h("p", { class: "facts" }, facts(game).map(fact)),
      h("p", {}, game.summary),
    ),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        { class: "main", type: "button", onclick: () => playNow(game) },
        icon("play"),
        t("Play now"),
      ),
      game.players.includes(1) &&
        h("button", { type: "button", onclick: () => solo(game) }, t("Solo")),
      h("button", { type: "button", onclick: () => setUp(game) }, t("Set up …")),
    ),
  );
}

/**
 * Players and minutes.
 * @param {Game} game
 * @returns {[import("./icons.js").IconName, string][]}
 */
function facts(game) {
  const minutes = tn("about {count} minute", "about {count} minutes", game.minutes);
  return game.minutes
    ? [
        ["people", playerCounts(game)],
        ["clock", minutes],
      ]
    : [["people", playerCounts(game)]];
}

/** @param {[import("./icons.js").IconName, string]} fact */
function fact([sign, words]) {
  return h("span", {}, icon(sign), words);
}

/** @param {Game} game */
function playerCounts(game) {
  const [first] = game.players;
  const last = game.players[game.players.length - 1];
  if (first === last) return tn("{count} player", "{count} players", first);
  return tn("{first} to {last} player", "{first} to {last} players", last, { first, last });
}

/** A picture of a match; while it is pointed at, or in view where nothing can point, it plays. */
class MovingPicture {
  #game;
  #shown;
  #next = h("img", { class: "next", alt: "", width: 500, height: 280 });
  #step = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Game} game */
  constructor(game) {
    this.#game = game;
    this.#shown = h("img", {
      src: matchPicture(game.name),
      alt: t("A match of {game}", { game: game.title }),
      width: 500,
      height: 280,
      loading: "lazy",
    });
    this.element = h(
      "div",
      {
        class: "picture",
        onpointerenter: () => hovers.matches && this.#play(),
        onpointerleave: () => hovers.matches && this.#stop(),
      },
      this.#shown,
      this.#next,
    );
    const watcher = new IntersectionObserver(
      ([{ isIntersecting }]) => {
        if (!hovers.matches) isIntersecting ? this.#play() : this.#stop();
      },
      { threshold: 0.85 },
    );
    watcher.observe(this.element);
    addEventListener("themechange", () => this.#redraw());
  }

  #redraw() {
    this.#stop();
    this.#shown.src = matchPicture(this.#game.name);
  }

  #play() {
    if (still.matches || this.#timer) return;
    this.#timer = setTimeout(() => this.#advance(), MOMENT_MS / 3);
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#step = 0;
    this.#next.classList.remove("in");
  }

  /** Fade to the next moment once its picture is here. */
  async #advance() {
    const moment = MOMENTS[this.#step++ % MOMENTS.length];
    const timer = this.#timer;
    const picture = h("img", {
      class: "next",
      alt: "",
      width: 500,
      height: 280,
      src: `${matchPicture(this.#game.name)}&moment=${moment}`,
    });
    await picture.decode().catch(() => {});
    if (timer !== this.#timer || !timer) return; // stopped meanwhile
    this.#next.replaceWith(picture);
    const before = this.#next;
    this.element.insertBefore(before, picture);
    this.#next = picture;
    requestAnimationFrame(() => requestAnimationFrame(() => picture.classList.add("in")));
    setTimeout(() => before.remove(), MOMENT_MS / 2);
    this.#timer = setTimeout(() => this.#advance(), moment ? MOMENT_MS : BEST_MS);
  }
}
