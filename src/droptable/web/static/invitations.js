// @ts-check
// Invitations: those that I got, and asking people I have played with to a table.

import { get, messageOf, post, remove } from "./api.js";
import { ask, fill, h, notify } from "./dom.js";
import { t } from "./i18n.js";

/** @import { Friend, Game, Invitation } from "./types.d.ts" */

/**
 * The tables that I am invited to.
 * @param {Invitation[]} invitations
 * @param {Map<string, Game>} games
 * @param {() => unknown} changed
 */
export function invitationSection(invitations, games, changed) {
  return h(
    "section",
    { class: "invitations", "aria-labelledby": "invitations-title" },
    h("h2", { id: "invitations-title" }, t("You are invited")),
    h(
      "ul",
      {},
      invitations.map((one) => invitation(one, games.get(one.game), changed)),
    ),
  );
}

/**
 * @param {Invitation} one
 * @param {Game | undefined} game
 * @param {() => unknown} changed
 */
function invitation({ table, title, by, game: name }, game, changed) {
  const label = title || game?.title || name;
  return h(
    "li",
    { class: "card-box", "data-accent": game?.accent ?? "gold" },
    h("span", {}, t("{name} invites you to {game}", { name: by, game: label })),
    h(
      "span",
      { class: "row" },
      h("a", { class: "button main", href: `t/${table}` }, t("Go to the table")),
      h("button", { type: "button", onclick: () => decline(table, changed) }, t("Decline")),
    ),
  );
}

/**
 * @param {string} table
 * @param {() => unknown} changed
 */
async function decline(table, changed) {
  try {
    await remove(`invitations/${table}`);
    await changed();
  } catch (error) {
    notify(messageOf(error));
  }
}

/**
 * Choose people to invite to a table.
 * @param {string} table
 */
export async function inviteByName(table) {
  try {
    const { friends } = await get("friends");
    const people = friends.filter(({ invitable, blocked }) => invitable && !blocked);
    const note = people.length
      ? t("They find the table on their start page, and get a notice if they want one.")
      : t("People you have finished a match with appear here.");
    const list = h(
      "ul",
      { class: "people-to-invite" },
      people.map((one) => h("li", {}, inviteButton(table, one))),
    );
    const body = h("div", {}, h("p", { class: "soft" }, note), list);
    await ask(t("Invite people you played with"), body, [
      { label: t("Done"), value: true, main: true },
    ]);
  } catch (error) {
    notify(messageOf(error));
  }
}

/**
 * @param {string} table
 * @param {Friend} friend
 */
function inviteButton(table, { id, name }) {
  const button = h("button", { type: "button", onclick: send }, t("Invite {name}", { name }));
  return button;

  async function send() {
    button.disabled = true;
    try {
      await post(`tables/${table}/invitations`, { person: id });
      fill(button, t("{name} is invited", { name }));
    } catch (error) {
      button.disabled = false;
      notify(messageOf(error));
    }
  }
}
