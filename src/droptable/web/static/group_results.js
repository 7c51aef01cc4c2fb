// @ts-check
// Who won how often in a standing group: in all, or at one game.

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { when } from "./my_tables.js";
import { percent } from "./people.js";

/** @import { GroupMember, GroupPage } from "./types.d.ts" */

/**
 * @param {GroupPage} group
 * @param {{ game: string }} choice
 * @param {() => unknown} changed
 */
export function results({ members }, choice, changed) {
  const titles = new Map(
    members.flatMap((member) => member.results.map(({ game, title }) => [game, title])),
  );
  if (!titles.has(choice.game)) choice.game = "";
  const rows = members
    .map((member) => ({ member, ...sum(member, choice.game) }))
    .sort((one, other) => other.wins - one.wins || one.matches - other.matches);
  return h(
    "section",
    { class: "card-box" },
    h("h3", {}, t("Results")),
    titles.size > 1 && games(titles, choice, changed),
    h(
      "table",
      { class: "group-results" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          [t("Name"), t("Matches"), t("Won"), t("Last match")].map((title) =>
            h("th", { scope: "col" }, title),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map(({ member, matches, wins, last }) =>
          h(
            "tr",
            { class: member.mine && "mine" },
            h("th", { scope: "row" }, named(member)),
            h("td", {}, String(matches)),
            h("td", {}, matches > 0 && `${inShares(wins)} (${percent(wins / matches)})`),
            h("td", { class: "soft" }, last > 0 && when(last)),
          ),
        ),
      ),
    ),
    h(
      "p",
      { class: "soft" },
      t("Finished matches of the group's tables count, if only members played."),
    ),
  );
}

/**
 * @param {Map<string, string>} titles
 * @param {{ game: string }} choice
 * @param {() => unknown} changed
 */
function games(titles, choice, changed) {
  return h(
    "select",
    {
      "aria-label": t("Game"),
      onchange: (event) => {
        choice.game = event.currentTarget.value;
        changed();
      },
    },
    h("option", { value: "", selected: choice.game === "" }, t("All games")),
    [...titles].map(([game, title]) =>
      h("option", { value: game, selected: choice.game === game }, title),
    ),
  );
}

/**
 * @param {GroupMember} member
 * @param {string} game
 */
function sum({ results }, game) {
  const own = results.filter((one) => !game || one.game === game);
  return {
    matches: own.reduce((total, one) => total + one.matches, 0),
    wins: own.reduce((total, one) => total + one.wins, 0),
    last: Math.max(0, ...own.map((one) => one.last)),
  };
}

/** @param {GroupMember} member */
function named({ id, name, hidden, founder, mine }) {
  return h(
    "span",
    {},
    id && (mine || !hidden) ? h("a", { href: `p/${id}` }, name) : name,
    founder && h("small", { class: "soft" }, " ", t("founder")),
  );
}

/** Victories; those that were shared count in part. @param {number} wins */
function inShares(wins) {
  return Number(wins.toFixed(2)).toString();
}
