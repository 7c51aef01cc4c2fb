// @ts-check
// The coach's opinion: asked for, awaited, put into sentences, and listed.

import { get, messageOf, post } from "./api.js";
import { fill, h, notify } from "./dom.js";
import { Emitter } from "./events.js";
import { t, tn } from "./i18n.js";
import { icon } from "./icons.js";
import { seatMark } from "./seats.js";

/** @import { CoachReport, CoachStatus, Decision, Match } from "./types.d.ts" */

const POLL_MS = 700;
const RETRY_MS = 5000;

/** @extends {Emitter<{ news: null }>} */
export class CoachPanel extends Emitter {
  /** @type {Map<number, Decision>} */
  #opinions = new Map(); // the last one of each turn, by its event
  #received = 0; // opinions, of which later ones replace earlier ones
  /** @type {(number | null)[]} */
  #accuracy = []; // by seat
  head = h("div", { class: "coach-head" });
  body = h("div", { class: "coach" });
  #key;
  #match;
  #go;

  /**
   * @param {string} key of the replay
   * @param {Match} match
   * @param {(at: number) => unknown} go
   */
  constructor(key, match, go) {
    super();
    this.#key = key;
    this.#match = match;
    this.#go = go;
    if (match.variant) {
      const why = t("The coach does not know variants of a game.");
      fill(this.head, h("h2", {}, t("Coach")), h("p", { class: "soft" }, why));
      return;
    }
    fill(
      this.head,
      h("h2", {}, t("Coach")),
      h("p", { class: "soft" }, t("How good was each turn, given what its player knew?")),
      h(
        "button",
        { class: "main", type: "button", onclick: () => this.#start() },
        icon("coach"),
        t("Ask the coach"),
      ),
    );
    this.#poll(true); // somebody may have asked before
  }

  /** All decisions that are judged, in the order of the match. */
  get decisions() {
    return [...this.#opinions.values()].sort((a, b) => a.event - b.event);
  }

  /**
   * The decision that is made at a moment.
   * @param {number} at
   */
  at(at) {
    return this.#opinions.get(at) ?? null;
  }

  get marked() {
    return this.decisions.filter((decision) => decision.mark);
  }

  /**
   * Every seat's chances at a moment, as far as they are known.
   * @param {number} at
   */
  chances(at) {
    const { decisions } = this;
    const last = decisions.findLast((decision) => decision.until <= at);
    return last?.after ?? decisions[0]?.before ?? null;
  }

  /**
   * A share as people say it: percent of a victory, or points where one plays alone.
   * @param {number} share
   */
  amount(share) {
    return this.#match.players === 1
      ? tn("{count} point", "{count} points", Math.round(share * 100))
      : `${Math.round(share * 100)} %`;
  }

  /**
   * What a decision cost, if it can be put into figures: a match that is lost has little to lose.
   * @param {Decision} decision
   */
  cost({ loss }) {
    return Math.round(loss * 100) > 0 ? this.amount(loss) : "";
  }

  /**
   * What was wrong, what would have been better, and why.
   * @param {Decision} decision
   */
  sentence(decision) {
    const name = this.#match.names[decision.seat];
    const values = {
      name,
      made: bare(decision.made.label, name),
      best: bare(decision.best.label, name),
      loss: this.cost(decision),
    };
    const made =
      decision.mark === "blunder"
        ? t("{name}'s blunder: {made}.", values)
        : t("{name}'s mistake: {made}.", values);
    const better = h("b", {}, t("Better: {best}.", values));
    const cost = values.loss && t("It cost {loss}.", values);
    return h(
      "span",
      {},
      [made, better, decision.why, cost].flatMap((part) => part && [part, " "]),
    );
  }

  async #start() {
    try {
      await post(`replays/${this.#key}/coach`);
      this.#opinions.clear();
      this.#received = 0;
      this.#poll();
    } catch (error) {
      notify(messageOf(error));
    }
  }

  /**
   * Ask for decisions that are not here yet, until all are.
   * @param {boolean} first whether nobody has asked the coach on this page
   */
  async #poll(first = false) {
    const report = await this.#report();
    if (!report) {
      setTimeout(() => this.#poll(), RETRY_MS);
      return;
    }
    const status = report.status === "none" ? "failed" : report.status; // the server was restarted
    if (first && status === "failed") return;
    this.#received += report.decisions.length;
    this.#accuracy = report.accuracy;
    for (const decision of report.decisions) this.#opinions.set(decision.event, decision);
    this.#show(status, report.progress);
    if (report.decisions.length) this.emit("news", null);
    if (status !== "done" && status !== "failed") setTimeout(() => this.#poll(), POLL_MS);
  }

  /** @returns {Promise<CoachReport | null>} null while the server is away */
  #report() {
    return get(`replays/${this.#key}/coach`, { since: this.#received }).catch(() => null);
  }

  /**
   * @param {CoachStatus} status
   * @param {number} progress
   */
  #show(status, progress) {
    const text = statusText(status);
    fill(
      this.head,
      h("h2", {}, t("Coach")),
      text && h("p", { class: "soft", role: "status" }, text),
      status === "running" &&
        h("progress", { max: 1, value: progress, "aria-label": t("Progress of the coach") }),
      status === "failed" &&
        h("button", { type: "button", onclick: () => this.#start() }, t("Try again")),
    );
    if (this.#opinions.size) fill(this.body, this.#summary(), this.#list(status));
  }

  /** How well each seat played. */
  #summary() {
    const heads = [t("Seat"), t("Accuracy"), t("Mistakes"), t("Blunders")];
    const columns = heads.map((head) => h("th", { scope: "col" }, head));
    const rows = this.#match.names.map((name, seat) => this.#figures(name, seat));
    return h(
      "table",
      { class: "figures" },
      h("thead", {}, h("tr", {}, columns)),
      h("tbody", {}, rows),
    );
  }

  /**
   * @param {string} name
   * @param {number} seat
   */
  #figures(name, seat) {
    const own = this.decisions.filter((decision) => decision.seat === seat);
    const count = (/** @type {Decision["mark"]} */ mark) =>
      own.length ? String(own.filter((decision) => decision.mark === mark).length) : "…";
    const accuracy = this.#accuracy[seat];
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, seatMark(seat), " ", name),
      h("td", { class: "accuracy" }, accuracy === null ? "…" : `${Math.round(accuracy)} %`),
      h("td", {}, count("mistake")),
      h("td", {}, count("blunder")),
    );
  }

  /** @param {CoachStatus} status */
  #list(status) {
    const { marked } = this;
    if (!marked.length) return status === "done" && h("p", {}, t("No mistakes found."));
    const items = marked.map((decision) => h("li", {}, this.#entry(decision)));
    return h("ol", { class: "mistakes", "aria-label": t("Mistakes") }, items);
  }

  /** @param {Decision} decision */
  #entry(decision) {
    const { event, made, best, mark, why } = decision;
    const cost = this.cost(decision);
    const name = this.#match.names[decision.seat];
    return h(
      "button",
      { type: "button", class: `plain ${mark}`, onclick: () => this.#go(event) },
      seatMark(decision.seat),
      h(
        "span",
        {},
        h("b", {}, mark === "blunder" ? t("Blunder") : t("Mistake")),
        `: ${bare(made.label, name)}. `,
        h(
          "span",
          { class: "soft" },
          t("Better: {best}.", { best: bare(best.label, name) }),
          " ",
          why,
        ),
      ),
      cost && h("span", { class: "cost" }, `−${cost}`),
    );
  }
}

/**
 * A turn without the full stop of a sentence, and without the name that was just said.
 * @param {string} label
 * @param {string} name
 */
function bare(label, name) {
  const words = label.startsWith(`${name} `) ? label.slice(name.length + 1) : label;
  return words.replace(/\.$/, "");
}

/** @param {CoachStatus} status */
function statusText(status) {
  switch (status) {
    case "waiting":
      return t("The coach looks at other matches first …");
    case "preparing":
      return t("The coach is being prepared; the first time this takes a minute …");
    case "running":
      return t("The coach looks at every turn, at the doubtful ones again …");
    case "failed":
      return t("The coach could not finish.");
    default:
      return "";
  }
}
