// @ts-check
// Replaying a match: any moment, from any seat's view, with the coach beside it.

import { get, messageOf, Refused } from "./api.js";
import { Chart } from "./chart.js";
import { CoachPanel } from "./coach.js";
import { fill, h, notify } from "./dom.js";
import { exportsBox } from "./exports.js";
import { verifyBox } from "./fair.js";
import { loadTexts, t } from "./i18n.js";
import { icon } from "./icons.js";
import { Player } from "./player.js";
import { Scene } from "./scene.js";
import { seatMark } from "./seats.js";
import { applyTheme, topBar } from "./top.js";
import { TurnLog } from "./turn_log.js";
import { acceptDrops, uploadBox } from "./upload.js";

/** @import { Decision, LineMoment, Match, Moment, Query, Shape } from "./types.d.ts" */

const MOST_CACHED = 200; // moments
const DEALER = -1;
const LINE_MS = 1100; // that a move of a better turn is shown
const LINE_END_MS = 2200; // and its last one

applyTheme();
await loadTexts();
const tall = matchMedia("(max-aspect-ratio: 1/1)");
const place = decodeURIComponent(location.pathname.split("/replay")[1]?.slice(1) ?? "");
const key = place.startsWith("record:") ? place : `table:${place}`;
const title = h("span", {}, t("Replay"));
const main = h("main", { class: "again" });
document.body.append(topBar(title), main);
acceptDrops();

/** The moment and the seat that the address names: #12@0. */
function fromAddress() {
  const [at, seat] = location.hash.slice(1).split("@");
  return { at: Number(at) || 0, seat: seat ? Number(seat) : null };
}

/** Show the match at the moment and from the seat that the address names. */
async function begin() {
  const { at, seat } = fromAddress();
  fill(main, h("p", { class: "loading", role: "status" }, t("Loading …")));
  const match = await load(seat).catch(explain);
  if (!match) return;
  const page = new ReplayPage(match, seat ?? match.you);
  page.go(at);
  addEventListener("hashchange", () => page.follow());
}

/**
 * The match as a seat saw it: the one in the address, or my own.
 * @param {number | null} seat
 */
async function load(seat) {
  const match = await get(`replays/${key}`, seat === null ? {} : { seat });
  if (seat !== null || match.you === null) return match;
  return get(`replays/${key}`, { seat: match.you });
}

/** @param {unknown} error */
function explain(error) {
  const unfinished = error instanceof Refused && error.kind === "illegal";
  fill(main, uploadBox(messageOf(error), unfinished ? `t/${place}` : null));
}

class ReplayPage {
  #match;
  #viewer;
  #player;
  #coach;
  #chart;
  #scene;
  #sentence = h("p", { class: "said", role: "status" });
  #advice = h("div", { class: "advice", role: "status" });
  #chances = h("div", { class: "standing", hidden: true });
  #nextMistake = h(
    "button",
    {
      class: "tool",
      type: "button",
      disabled: true,
      "aria-label": t("Next mistake"),
      title: t("Next mistake"),
      onclick: () => this.#goToNextMistake(),
    },
    icon("mistake"),
    h("span", {}, t("Next mistake")),
  );
  /** @type {Map<string, Promise<Moment>>} */
  #moments = new Map(); // what the server drew, by the question
  #drawings = 0; // that were begun: only the last one is shown
  #line = -1; // the drawing that shows a line
  /** @type {HTMLSelectElement} */
  #eyes;
  #log;

  /**
   * @param {Match} match
   * @param {number | null} viewer the seat that looks, or null: everything is open
   */
  constructor(match, viewer) {
    this.#match = match;
    this.#viewer = viewer;
    this.#player = new Player(
      match.length,
      (at) => at === 0 || Boolean(this.#turnTo(at)?.text),
      (at) => match.events[at - 1]?.actor === DEALER,
    );
    this.#eyes = this.#viewerChoice();
    this.#log = new TurnLog((at) => this.go(at));
    this.#coach = new CoachPanel(key, match, (at) => this.go(at));
    this.#chart = new Chart(match, (at) => this.go(at));
    const board = h("div", { class: "board", role: "group", "aria-label": t("The board") });
    this.#scene = new Scene(board);
    title.textContent = t("{title}: replay", { title: match.title });
    document.title = `${match.title} – Droptable`;
    fill(
      main,
      h(
        "section",
        { class: "stage" },
        this.#chances,
        h("div", { class: "say-line" }, this.#sentence, this.#advice),
        board,
        this.#player.bar(this.#nextMistake),
      ),
      h(
        "section",
        { class: "side" },
        h(
          "label",
          { class: "eyes" },
          icon("eye"),
          h("span", { class: "for-readers" }, t("Whose view")),
          this.#eyes,
        ),
        h("div", { class: "card-box" }, this.#coach.head, this.#chart.element, this.#coach.body),
        this.#log.element,
        exportsBox(key, place, match, () => this.#shown()),
        verifyBox(key, place),
      ),
    );
    this.#player.on("moment", () => this.#draw());
    this.#coach.on("news", () => {
      this.#nextMistake.disabled = !this.#coach.marked.length;
      this.#chart.draw(this.#coach.decisions);
      this.#redraw();
    });
    tall.addEventListener("change", () => this.#draw());
    this.#log.show(match.turns);
  }

  /** @param {number} at */
  go(at) {
    this.#player.go(Math.min(Math.max(0, at), this.#match.length));
  }

  /** Go where the address leads, after somebody has changed it. */
  async follow() {
    const { at, seat } = fromAddress();
    if (seat !== this.#viewer && (seat === null || seat < this.#match.players)) {
      this.#eyes.value = seat === null ? "" : String(seat);
      await this.#lookAs(seat);
    }
    this.go(at);
  }

  /**
   * The turn, deal or roll that ends at a moment.
   * @param {number} at
   */
  #turnTo(at) {
    return this.#match.turns.find(({ to }) => to === at);
  }

  /** From the last mistake on, the first one is next. */
  #goToNextMistake() {
    const { marked } = this.#coach;
    const next = marked.find((decision) => decision.event > this.#player.at) ?? marked[0];
    if (next) this.go(next.event);
  }

  #viewerChoice() {
    const open = h("option", { value: "" }, t("Everything is open"));
    const seats = this.#match.names.map((name, seat) =>
      h(
        "option",
        { value: String(seat), selected: seat === this.#viewer },
        t("What {name} could see", { name }),
      ),
    );
    /** @param {{ currentTarget: HTMLSelectElement }} event */
    const onchange = ({ currentTarget: { value } }) =>
      this.#lookAs(value === "" ? null : Number(value));
    return h("select", { onchange }, open, seats);
  }

  /** @param {number | null} seat */
  async #lookAs(seat) {
    this.#viewer = seat;
    const match = await get(`replays/${key}`, seat === null ? {} : { seat });
    this.#match.events = match.events;
    this.#match.turns = match.turns;
    this.#log.show(match.turns);
    this.#redraw();
  }

  #shown() {
    const { at } = this.#player;
    const focus = this.#coach.at(at)?.seat ?? null;
    return { at, seat: this.#viewer, scene: shape(), focus };
  }

  /** Draw the moment again, but do not break off a line that is being shown. */
  #redraw() {
    if (this.#drawings !== this.#line) this.#draw();
  }

  async #draw() {
    const { at } = this.#player;
    const number = ++this.#drawings;
    this.#showTexts(at);
    try {
      const moment = await this.#moment(at);
      if (number === this.#drawings) this.#show(at, moment);
    } catch (error) {
      this.#player.pause();
      notify(messageOf(error));
    }
  }

  /**
   * @param {number} at
   * @param {Moment} moment
   */
  #show(at, moment) {
    if (moment.picture) {
      document.documentElement.dataset.accent = moment.picture.accent;
      this.#scene.show(moment.picture.svg);
      this.#showBetterMove(moment, this.#coach.at(at));
    }
    this.#showChances(at);
    const place = this.#viewer === null ? `${at}` : `${at}@${this.#viewer}`;
    history.replaceState(null, "", `${location.pathname}#${place}`);
    if (at < this.#match.length) this.#moment(this.#player.next()).catch(() => {}); // to have it ready
  }

  /**
   * What the server draws for a moment; at a marked decision with the better move.
   * @param {number} at
   */
  #moment(at) {
    const decision = this.#coach.at(at);
    /** @type {Query} */
    const query = { at, scene: shape() };
    if (this.#viewer !== null) query.seat = this.#viewer;
    if (decision?.mark) Object.assign(query, { focus: decision.seat, show: decision.best.token });
    const question = JSON.stringify(query);
    const known = this.#moments.get(question);
    if (known) return known;
    const moment = get(`replays/${key}/scene`, query);
    moment.catch(() => this.#moments.delete(question));
    this.#moments.set(question, moment);
    const [oldest] = this.#moments.keys();
    if (this.#moments.size > MOST_CACHED) this.#moments.delete(oldest);
    return moment;
  }

  /** @param {number} at */
  #showTexts(at) {
    const decision = this.#coach.at(at);
    this.#sentence.textContent = this.#textAt(at);
    fill(this.#advice, decision?.mark && this.#adviceOn(decision));
    this.#chart.at(at, this.#coach.chances(at));
    this.#log.at(at);
  }

  /** @param {number} at */
  #textAt(at) {
    const { length, verdict, names, events } = this.#match;
    if (at === length) return verdict;
    if (at === 0) return t("The match begins: {names}.", { names: names.join(", ") });
    return this.#turnTo(at)?.text || events[at - 1].text || "…";
  }

  /**
   * @param {Decision} decision
   * @returns {import("./types.d.ts").Child[]}
   */
  #adviceOn(decision) {
    const show = h(
      "button",
      { type: "button", class: "line", onclick: () => this.#showLine(decision) },
      icon("play"),
      h("span", {}, t("Show the better line")),
    );
    show.setAttribute("aria-label", t("Show the better line"));
    show.title = t("Show the better line");
    return [icon("mistake"), this.#coach.sentence(decision), show];
  }

  /**
   * Play the better turn on the board, from whoever's view is chosen, and come back.
   * @param {Decision} decision
   */
  async #showLine({ event, line }) {
    this.#player.pause();
    const number = ++this.#drawings;
    this.#line = number;
    /** @type {Query} */
    const query = { at: event, scene: shape(), moves: line.join(";") };
    if (this.#viewer !== null) query.seat = this.#viewer;
    try {
      const moments = await get(`replays/${key}/line`, query);
      for (const [i, moment] of moments.entries()) {
        if (number !== this.#drawings) return;
        this.#showLineMoment(moment);
        await pause(i + 1 < moments.length ? LINE_MS : LINE_END_MS);
      }
      if (number === this.#drawings) this.#draw();
    } catch (error) {
      this.#line = -1;
      notify(messageOf(error));
    }
  }

  /** @param {LineMoment} moment */
  #showLineMoment(moment) {
    if (moment.picture) this.#scene.show(moment.picture.svg);
    this.#sentence.textContent = moment.text;
  }

  /**
   * Show the better move on the board, as far as the picture shows the seat that missed it.
   * @param {Moment} moment
   * @param {Decision | null} decision
   */
  #showBetterMove(moment, decision) {
    if (!decision?.mark) return;
    if (decision.seat === moment.seat) this.#scene.point(decision.best.path);
    if (moment.ghost) this.#scene.overlay(moment.ghost);
  }

  /**
   * Every seat's chances in a line; the picture says the rest.
   * @param {number} at
   */
  #showChances(at) {
    const chances = this.#coach.chances(at);
    const { names, players } = this.#match;
    this.#chances.hidden = !chances;
    if (!chances) return;
    const labels = names.map((name, seat) =>
      h(
        "li",
        {},
        seatMark(seat),
        h("span", { class: "name" }, name),
        h("b", {}, this.#coach.amount(chances[seat])),
      ),
    );
    const parts = chances.map((share, seat) => {
      const part = h("i", { class: `of-${seat}` });
      part.style.flexGrow = Math.max(share, 0.004).toFixed(3);
      return part;
    });
    fill(
      this.#chances,
      h("ul", { "aria-label": t("Chance to win") }, labels),
      players > 1 && h("div", { class: "shares", "aria-hidden": "true" }, parts),
    );
  }
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** @returns {Shape} */
function shape() {
  return tall.matches ? "tall" : "wide";
}

if (place) begin();
else {
  const refused = new URLSearchParams(location.search).get("shared") === "refused";
  fill(main, uploadBox(refused ? t("What you shared is not a record.") : null));
}
