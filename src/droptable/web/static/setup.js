// @ts-check
// Setting up a table: players, seats, options with their meaning, clock, who may join.

import { messageOf } from "./api.js";
import { ask, fill, h } from "./dom.js";
import { t, tn } from "./i18n.js";
import { optionField } from "./options.js";
import { BOTS } from "./seats.js";

/** @import { ClockSettings, Game, TableSettings } from "./types.d.ts" */

/** @type {Record<string, [per: ClockSettings["per"], seconds: number] | null>} */
const CLOCKS = {
  "": null,
  "turn-60": ["turn", 60],
  "turn-300": ["turn", 300],
  "match-900": ["match", 900],
  "match-3600": ["match", 3600],
  "turn-86400": ["turn", 86400],
};

/**
 * Ask for settings and `open` a table with them; settings that are refused can be corrected.
 * @param {Game} game
 * @param {(settings: TableSettings) => Promise<unknown>} open
 */
export function setUp(game, open) {
  const form = new SetupForm(game);
  return ask(t("Set up {game}", { game: game.title }), form.element, [
    { label: t("Cancel"), value: null },
    { label: t("Open the table"), main: true, act: () => form.submit(open) },
  ]);
}

class SetupForm {
  #game;
  #options;
  #players;
  #seats = h("div", { class: "seat-choices" });
  #shuffled = h("input", { type: "checkbox" });
  #isPublic = h("input", { type: "checkbox" });
  #clock = h(
    "select",
    {},
    Object.keys(CLOCKS).map((key) => h("option", { value: key }, clockName(key))),
  );
  #atZero = h(
    "select",
    {},
    h("option", { value: "bot" }, t("a bot plays on")),
    h("option", { value: "resign" }, t("the seat resigns")),
  );
  #problem = h("p", { class: "bad", role: "alert" });

  /** @param {Game} game */
  constructor(game) {
    this.#game = game;
    this.#options = Object.entries(game.options).map(([name, option]) => optionField(name, option));
    this.#players = this.#playersField();
    this.#showSeats();
    this.element = h(
      "form",
      { class: "setup" },
      game.players.length > 1 && h("label", {}, t("Players"), this.#players),
      this.#seats,
      h("label", { class: "check" }, this.#shuffled, t("Shuffle the seats")),
      h(
        "label",
        { class: "check" },
        this.#isPublic,
        t("Show the table in the list of open tables"),
      ),
      h("label", {}, t("Clock"), this.#clock),
      h("label", {}, t("When the time is up"), this.#atZero),
      this.#options.length > 0 &&
        h(
          "details",
          {},
          h("summary", {}, t("Game options")),
          this.#options.map((option) => option.element),
        ),
      this.#problem,
    );
  }

  /** @param {(settings: TableSettings) => Promise<unknown>} open */
  async submit(open) {
    try {
      await open(this.#settings());
    } catch (error) {
      this.#problem.textContent = messageOf(error);
    }
    this.#problem.scrollIntoView();
  }

  #playersField() {
    const { players } = this.#game;
    const usual = players.find((count) => count > 1) ?? 1;
    return h(
      "select",
      { id: "players", onchange: () => this.#showSeats() },
      players.map((count) =>
        h("option", { value: String(count), selected: count === usual }, String(count)),
      ),
    );
  }

  #showSeats() {
    const count = Number(this.#players.value);
    fill(
      this.#seats,
      Array.from({ length: count }, (_, seat) => seatField(seat)),
    );
  }

  /** @returns {TableSettings} */
  #settings() {
    const seats = [...this.#seats.querySelectorAll("select")].map((select) => select.value);
    if (seats.filter((seat) => seat === "me").length > 1)
      throw new Error(t("You can sit at one seat only."));
    const changed = this.#options.filter((option) => option.isChanged());
    /** @type {TableSettings} */
    const settings = {
      game: this.#game.name,
      players: seats.length,
      seats,
      shuffled: this.#shuffled.checked,
      public: this.#isPublic.checked,
      options: Object.fromEntries(changed.map((option) => [option.name, option.value()])),
    };
    const clock = CLOCKS[this.#clock.value];
    const atZero = /** @type {ClockSettings["at_zero"]} */ (this.#atZero.value);
    if (clock) settings.clock = { per: clock[0], seconds: clock[1], at_zero: atZero };
    return settings;
  }
}

/** @param {number} seat */
function seatField(seat) {
  const me = h("option", { value: "me" }, t("me"));
  return h(
    "label",
    {},
    t("Seat {number}", { number: seat + 1 }),
    h(
      "select",
      { class: "seat-choice" },
      seat === 0 && me,
      h("option", { value: "open" }, t("open for a friend")),
      BOTS.map((bot) => h("option", { value: bot }, t("bot: {level}", { level: t(bot) }))),
      seat > 0 && me,
    ),
  );
}

/** @param {string} key */
function clockName(key) {
  const clock = CLOCKS[key];
  if (!clock) return t("none: take your time, even days");
  const [per, seconds] = clock;
  const time = duration(seconds);
  return per === "turn" ? t("{time} per turn", { time }) : t("{time} for the match", { time });
}

/** @param {number} seconds */
function duration(seconds) {
  if (seconds >= 86400) return tn("{count} day", "{count} days", seconds / 86400);
  if (seconds >= 3600) return tn("{count} hour", "{count} hours", seconds / 3600);
  return tn("{count} minute", "{count} minutes", seconds / 60);
}
