// @ts-check
// The coach's opinion: asked for, awaited, put into sentences, and listed.

import { get, messageOf, post } from "./api.js";
import { fill, h, notify } from "./dom.js";
import { Emitter } from "./events.js";
import { t, tn } from "./i18n.js";
import { icon } from "./icons.js";
import { seatMark } from "./seats.js";

/** @import { CoachReport, CoachStatus, Decision, Match } from "./types.d.ts" */

const POLL_MS = 1200;
const RETRY_MS = 5000;

/** @extends {Emitter<{ news: null }>} */
export class CoachPanel extends Emitter {
  /** @type {Decision[]} */
  decisions = []; // in the order of the match
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
    fill(
      this.head,
      h("h2", {}, t("Coach")),
      h("p", { class: "soft" }, t("How good was each decision, given what its player knew?")),
      h(
        "button",
        { class: "main", type: "button", onclick: () => this.#start() },
        icon("coach"),
        t("Ask the coach"),
      ),
    );
    this.#poll(true); // somebody may have asked before
  }

  /**
   * The decision that is made at a moment.
   * @param {number} at
   */
  at(at) {
    return this.decisions.find((decision) => decision.event === at) ?? null;
  }

  get marked() {
    return this.decisions.filter((decision) => decision.mark);
  }

  /**
   * Every seat's chances at a moment, as far as they are known.
   * @param {number} at
   */
  chances(at) {
    const last = this.decisions.findLast((decision) => decision.event < at);
    return last?.after ?? this.decisions[0]?.before ?? null;
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

  /** @param {Decision} decision */
  sentence(decision) {
    const values = {
      name: this.#match.names[decision.seat],
      made: decision.made.label,
      best: decision.best.label,
      loss: this.amount(decision.loss),
    };
    const made =
      decision.mark === "blunder"
        ? t("{name}'s blunder: {made}.", values)
        : t("{name}'s mistake: {made}.", values);
    const better = h("b", {}, t("Better: {best}.", values));
    return [icon("mistake"), h("span", {}, made, " ", better, " ", t("It cost {loss}.", values))];
  }

  async #start() {
    try {
      await post(`replays/${this.#key}/coach`);
      this.decisions = [];
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
    this.decisions = [...this.decisions, ...report.decisions].sort((a, b) => a.event - b.event);
    this.#show(status, report.progress);
    if (report.decisions.length) this.emit("news", null);
    if (status !== "done" && status !== "failed") setTimeout(() => this.#poll(), POLL_MS);
  }

  /** @returns {Promise<CoachReport | null>} null while the server is away */
  #report() {
    return get(`replays/${this.#key}/coach`, { since: this.decisions.length }).catch(() => null);
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
    if (this.decisions.length) fill(this.body, this.#summary(), this.#list());
  }

  /** What each seat lost in all. */
  #summary() {
    const heads = [t("Seat"), t("Blunders"), t("Mistakes"), t("Total loss")];
    const columns = heads.map((head) => h("th", { scope: "col" }, head));
    const rows = this.#match.names.map((name, seat) => this.#losses(name, seat));
    return h(
      "table",
      { class: "losses" },
      h("thead", {}, h("tr", {}, columns)),
      h("tbody", {}, rows),
    );
  }

  /**
   * @param {string} name
   * @param {number} seat
   */
  #losses(name, seat) {
    const own = this.decisions.filter((decision) => decision.seat === seat);
    const count = (/** @type {Decision["mark"]} */ mark) =>
      String(own.filter((decision) => decision.mark === mark).length);
    const lost = own.reduce((sum, decision) => sum + decision.loss, 0);
    const cells = own.length
      ? [count("blunder"), count("mistake"), this.amount(lost)]
      : ["…", "…", "…"]; // not judged yet
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, seatMark(seat), " ", name),
      cells.map((cell) => h("td", {}, cell)),
    );
  }

  #list() {
    if (!this.marked.length) return h("p", {}, t("No mistakes found."));
    const items = this.marked.map((decision) => h("li", {}, this.#entry(decision)));
    return h("ol", { class: "mistakes", "aria-label": t("Mistakes") }, items);
  }

  /** @param {Decision} decision */
  #entry(decision) {
    const { event, made, best, mark } = decision;
    return h(
      "button",
      { type: "button", class: `plain ${mark}`, onclick: () => this.#go(event) },
      seatMark(decision.seat),
      h(
        "span",
        {},
        h("b", {}, mark === "blunder" ? t("Blunder") : t("Mistake")),
        ` ${event}: ${made.label} `,
        h("span", { class: "soft" }, t("better: {best}", { best: best.label })),
      ),
      h("span", { class: "cost" }, `−${this.amount(decision.loss)}`),
    );
  }
}

/** @param {CoachStatus} status */
function statusText(status) {
  switch (status) {
    case "waiting":
      return t("The coach looks at other matches first …");
    case "preparing":
      return t("The coach is being prepared; the first time this takes a minute …");
    case "running":
      return t("The coach looks at every decision …");
    case "failed":
      return t("The coach could not finish.");
    default:
      return "";
  }
}
