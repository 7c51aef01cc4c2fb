// @ts-check
// Setting up a table: who plays, options with their meaning, clock, who may join.

import { messageOf } from "./api.js";
import { clockName } from "./clock_words.js";
import { ask, fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { optionField } from "./options.js";
import { BOTS, OWN_BOTS, seatMark } from "./seats.js";

/** @import { ClockSettings, Game, TableSettings } from "./types.d.ts" */

/** @type {[per: ClockSettings["per"], seconds: number][]} */
const CLOCKS = [
  ["turn", 60],
  ["turn", 300],
  ["match", 900],
  ["match", 3600],
  ["turn", 86400],
];

const NAMES = "room"; // the key in localStorage: who played on this device last

/** @returns {string[]} by seat */
function knownNames() {
  return JSON.parse(localStorage.getItem(NAMES) ?? "[]");
}

/**
 * Ask for settings and `open` a table with them; settings that are refused can be corrected.
 * @param {Game} game
 * @param {string} level of bots, unless another one is chosen
 * @param {(settings: TableSettings) => Promise<unknown>} open
 * @param {boolean} mayBePublic
 */
export function setUp(game, level, open, mayBePublic = true) {
  const form = new SetupForm(game, level, mayBePublic);
  const answer = ask(t("Set up {game}", { game: game.title }), form.element, [
    { label: t("Cancel"), value: null },
    { label: t("Open the table"), main: true, act: () => form.submit(open) },
  ]);
  form.element.closest("dialog")?.setAttribute("data-accent", game.accent);
  return answer;
}

class SetupForm {
  #game;
  #level;
  #options;
  #count;
  #seats = h("div", { class: "seat-choices" });
  #all = h(
    "div",
    { class: "everybody" },
    h("button", { type: "button", onclick: () => this.#others("open") }, t("All friends")),
    h("button", { type: "button", onclick: () => this.#others("here") }, t("All on this device")),
    h("button", { type: "button", onclick: () => this.#others(this.#level) }, t("All bots")),
  );
  #shuffled = checkbox(
    t("Seats are drawn at random"),
    t("Else everybody sits as you see it here."),
  );
  #isPublic = checkbox(t("Public table"), t("Anybody can join it from the start page."));
  #hints = checkbox(
    t("Hints allowed"),
    t("Also in a match against other people. Everybody is told who asks for one."),
  );
  #rated = checkbox(
    t("Rated match"),
    t("It counts for everybody's rating: limited time, the usual rules, no help."),
  );
  #clock = h(
    "select",
    { onchange: () => this.#showAtZero() },
    h("option", { value: "" }, t("No clock")),
    CLOCKS.map(([per, seconds], index) =>
      h("option", { value: String(index) }, clockName(per, seconds)),
    ),
  );
  #atZero = h(
    "select",
    {},
    h("option", { value: "bot" }, t("A bot plays on")),
    h("option", { value: "resign" }, t("The player resigns")),
  );
  #atZeroField = h("label", { hidden: true }, t("When the time is up"), this.#atZero);
  #problem = h("p", { class: "bad", role: "alert" });

  /**
   * @param {Game} game
   * @param {string} level
   * @param {boolean} mayBePublic
   */
  constructor(game, level, mayBePublic) {
    this.#game = game;
    this.#level = level;
    this.#count = game.players.find((count) => count > 1) ?? game.players[0];
    this.#options = Object.entries(game.options).map(([name, option]) => optionField(name, option));
    this.#showSeats("open");
    const plain = this.#options.filter(({ option }) => !option.advanced);
    const advanced = this.#options.filter(({ option }) => option.advanced);
    this.element = h(
      "form",
      { class: "setup", novalidate: true },
      h(
        "fieldset",
        {},
        h("legend", {}, t("Who plays")),
        game.players.length > 1 && this.#playerCounts(),
        this.#seats,
        this.#all,
        this.#shuffled.element,
        mayBePublic && this.#isPublic.element,
        this.#hints.element,
        this.#rated.element,
      ),
      h(
        "fieldset",
        {},
        h("legend", {}, t("How you play")),
        h("label", {}, t("Clock"), this.#clock),
        this.#atZeroField,
        plain.map((option) => option.element),
        advanced.length > 0 &&
          h(
            "details",
            {},
            h("summary", {}, t("More options")),
            advanced.map((option) => option.element),
          ),
      ),
      this.#problem,
    );
  }

  /** @param {(settings: TableSettings) => Promise<unknown>} open */
  async submit(open) {
    this.#problem.textContent = "";
    const wrong = this.#options.filter((option) => !option.check());
    if (wrong.length) {
      wrong[0].field.closest("details")?.setAttribute("open", "");
      wrong[0].field.focus();
      return;
    }
    try {
      await open(this.#settings());
    } catch (error) {
      this.#problem.textContent = messageOf(error);
      this.#problem.scrollIntoView({ block: "nearest" });
    }
  }

  #playerCounts() {
    const segment = (/** @type {number} */ count) =>
      h(
        "label",
        { class: "segment" },
        h("input", {
          type: "radio",
          name: "players",
          value: String(count),
          checked: count === this.#count,
          onchange: () => {
            this.#count = count;
            this.#showSeats("open");
          },
        }),
        String(count),
      );
    return h(
      "fieldset",
      { class: "segments" },
      h("legend", { class: "for-readers" }, t("Players")),
      h("div", { class: "segment-row" }, this.#game.players.map(segment)),
    );
  }

  /**
   * All other seats at once: for friends, or for bots.
   * @param {string} who
   */
  #others(who) {
    for (const select of this.#selects()) if (select.value !== "me") select.value = who;
    this.#showNames();
  }

  #names() {
    return [...this.#seats.querySelectorAll("input")];
  }

  /** Only who plays on this device needs to be named. */
  #showNames() {
    this.#selects().forEach((select, seat) => {
      this.#names()[seat].hidden = select.value !== "here";
    });
  }

  #selects() {
    return [...this.#seats.querySelectorAll("select")];
  }

  /**
   * As many seats as players; those that were there stay as they are.
   * @param {string} who sits at new ones
   */
  #showSeats(who) {
    const before = this.#selects().map((select) => select.value);
    const names = this.#names().map((field) => field.value);
    const seats = Array.from({ length: this.#count }, (_, seat) => before[seat] ?? who);
    if (!before.length || !seats.includes("me")) seats[0] = "me";
    fill(
      this.#seats,
      seats.map((value, seat) => this.#seatField(seat, value, names[seat])),
    );
    this.#seats.hidden = this.#count === 1;
    this.#all.hidden = this.#count < 3;
    this.#showNames();
  }

  /**
   * @param {number} seat
   * @param {string} value
   * @param {string} [name] of somebody on this device
   */
  #seatField(seat, value, name = knownNames()[seat] ?? "") {
    const select = h(
      "select",
      {
        class: "seat-choice",
        "aria-label": t("Seat {number}", { number: seat + 1 }),
        onchange: (event) => this.#seated(event.currentTarget),
      },
      h("option", { value: "me" }, t("You")),
      h("option", { value: "open" }, t("Open for a friend")),
      h("option", { value: "here" }, t("On this device")),
      BOTS.map((bot) => h("option", { value: bot }, t("Bot: {level}", { level: t(bot) }))),
      OWN_BOTS.map((bot) => h("option", { value: bot }, t("Bot: {level}", { level: bot }))),
    );
    select.value = value;
    const field = h("input", {
      value: name,
      maxlength: 30,
      placeholder: t("Name"),
      "aria-label": t("Name at seat {number}", { number: seat + 1 }),
    });
    return h("div", { class: "seat-field" }, seatMark(seat), select, field);
  }

  /**
   * I sit at one seat only: if I chose this one, the one that I left is open.
   * @param {HTMLSelectElement} chosen
   */
  #seated(chosen) {
    for (const select of this.#selects())
      if (chosen.value === "me" && select !== chosen && select.value === "me")
        select.value = "open";
    this.#showNames();
    if (chosen.value === "here") this.#names()[this.#selects().indexOf(chosen)].focus();
  }

  #showAtZero() {
    this.#atZeroField.hidden = !this.#clock.value;
  }

  /** @returns {TableSettings} */
  #settings() {
    const seats = this.#selects().map((select) => select.value);
    const names = this.#names().map((field) => field.value.trim());
    localStorage.setItem(NAMES, JSON.stringify(names));
    const changed = this.#options.filter((option) => option.isChanged());
    /** @type {TableSettings} */
    const settings = {
      game: this.#game.name,
      players: seats.length,
      seats,
      here: names.filter((_name, seat) => seats[seat] === "here"),
      shuffled: this.#shuffled.field.checked,
      public: this.#isPublic.field.checked,
      options: Object.fromEntries(changed.map((option) => [option.name, option.value()])),
    };
    if (this.#hints.field.checked) settings.hints = true;
    settings.rated = this.#rated.field.checked;
    const clock = this.#clock.value && CLOCKS[Number(this.#clock.value)];
    const atZero = /** @type {ClockSettings["at_zero"]} */ (this.#atZero.value);
    if (clock) settings.clock = { per: clock[0], seconds: clock[1], at_zero: atZero };
    return settings;
  }
}

/**
 * @param {string} title
 * @param {string} help
 */
function checkbox(title, help) {
  const field = h("input", { type: "checkbox" });
  const words = h("span", {}, title, h("small", { class: "soft" }, help));
  return { field, element: h("label", { class: "check" }, field, words) };
}
