// The coach's opinion: asked for, awaited, told in sentences, and listed by how much was lost.
import { get, post } from "./api.js";
import { fill, h, notify } from "./dom.js";
import { icon } from "./icons.js";
import { seatMark } from "./seats.js";
import { t, tn } from "./i18n.js";

const ASK_MS = 1200;

export class CoachPanel extends EventTarget {
  decisions = []; // in the order of the match
  head = h("div", { class: "coach-head" });
  body = h("div", { class: "coach" });
  #key;
  #match;
  #go;
  #known = 0;

  constructor(key, match, go) {
    super();
    [this.#key, this.#match, this.#go] = [key, match, go];
    fill(
      this.head,
      h("h2", {}, t("Coach")),
      h("p", { class: "soft" }, t("How good was every decision, by what its player could know?")),
      h(
        "button",
        { class: "main", type: "button", onclick: () => this.#start() },
        icon("coach"),
        t("Ask the coach"),
      ),
    );
    this.#look(true); // somebody may have asked before
  }

  /** The decision that is made at a moment. */
  at(at) {
    return this.decisions.find((decision) => decision.event === at) ?? null;
  }

  get marked() {
    return this.decisions.filter((decision) => decision.mark);
  }

  /** Every seat's chances at a moment, as far as they are known. */
  chances(at) {
    if (!this.decisions.length) return null;
    return (
      this.decisions.findLast((decision) => decision.event < at)?.after ?? this.decisions[0].before
    );
  }

  /** A share as people say it: percent of a victory, or points where one plays alone. */
  amount(share) {
    return this.#match.players === 1
      ? tn("{count} point", "{count} points", Math.round(share * 100))
      : `${Math.round(share * 100)} %`;
  }

  sentence(decision) {
    const values = {
      name: this.#match.names[decision.seat],
      made: decision.made.label,
      best: decision.best.label,
      loss: this.amount(decision.loss),
    };
    const made =
      decision.mark === "blunder"
        ? t("A blunder of {name}: {made}.", values)
        : t("A mistake of {name}: {made}.", values);
    return [
      icon("mistake"),
      h(
        "span",
        {},
        made,
        " ",
        h("b", {}, t("Better: {best}.", values)),
        " ",
        t("It cost {loss}.", values),
      ),
    ];
  }

  async #start() {
    try {
      await post(`replays/${this.#key}/coach`);
      [this.#known, this.decisions] = [0, []];
      this.#look();
    } catch (error) {
      notify(error.message);
    }
  }

  async #look(first = false) {
    let found;
    try {
      found = await get(`replays/${this.#key}/coach`, { since: this.#known });
    } catch {
      return setTimeout(() => this.#look(), 4 * ASK_MS); // the server is away for a moment
    }
    if (first && (found.status === "none" || found.status === "failed")) return;
    if (found.status === "none") found.status = "failed"; // the server has started anew, or another one answers
    this.#known += found.decisions.length;
    this.decisions = [...this.decisions, ...found.decisions].sort((a, b) => a.event - b.event);
    this.#tell(found);
    if (found.decisions.length) this.dispatchEvent(new Event("news"));
    if (found.status !== "done" && found.status !== "failed")
      setTimeout(() => this.#look(), ASK_MS);
  }

  #tell({ status, progress }) {
    const told = {
      waiting: t("The coach looks at other matches first …"),
      preparing: t("The coach is being prepared; the first time this takes a minute …"),
      running: t("The coach looks at every decision …"),
      failed: t("The coach could not finish."),
    }[status];
    fill(
      this.head,
      h("h2", {}, t("Coach")),
      told && h("p", { class: "soft", role: "status" }, told),
      status === "running" &&
        h("progress", { max: 1, value: progress, "aria-label": t("How far the coach is") }),
      status === "failed" &&
        h("button", { type: "button", onclick: () => this.#start() }, t("Try again")),
    );
    if (this.decisions.length) fill(this.body, this.#summary(), this.#list());
  }

  /** What each seat lost in all. */
  #summary() {
    const judged = new Set(this.decisions.map((decision) => decision.seat));
    return h(
      "table",
      { class: "losses" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          [t("Seat"), t("Blunders"), t("Mistakes"), t("Lost in all")].map((head) =>
            h("th", { scope: "col" }, head),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        this.#match.names.map((name, seat) => {
          const own = this.decisions.filter((decision) => decision.seat === seat);
          const count = (mark) => own.filter((decision) => decision.mark === mark).length;
          const lost = own.reduce((sum, decision) => sum + decision.loss, 0);
          const cells = judged.has(seat)
            ? [count("blunder"), count("mistake"), this.amount(lost)]
            : ["…", "…", "…"];
          return h(
            "tr",
            {},
            h("th", { scope: "row" }, seatMark(seat), " ", name),
            cells.map((cell) => h("td", {}, String(cell))),
          );
        }),
      ),
    );
  }

  #list() {
    if (!this.marked.length) return h("p", {}, t("No mistakes found."));
    return h(
      "ol",
      { class: "mistakes", "aria-label": t("Mistakes") },
      this.marked.map((decision) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: `plain ${decision.mark}`,
              onclick: () => this.#go(decision.event),
            },
            seatMark(decision.seat),
            h(
              "span",
              {},
              h("b", {}, decision.mark === "blunder" ? t("Blunder") : t("Mistake")),
              ` ${decision.event}: ${decision.made.label} `,
              h("span", { class: "soft" }, t("better: {best}", { best: decision.best.label })),
            ),
            h("span", { class: "cost" }, `−${this.amount(decision.loss)}`),
          ),
        ),
      ),
    );
  }
}
