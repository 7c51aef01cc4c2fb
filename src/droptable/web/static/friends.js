// @ts-check
// People I have played with, who of them may invite me, and the invitations that wait for me.

import { get, messageOf, put } from "./api.js";
import { fill, h, notify } from "./dom.js";
import { groupSection } from "./groups.js";
import { loadTexts, t, tn } from "./i18n.js";
import { invitationSection } from "./invitations.js";
import { when } from "./my_tables.js";
import { nothingYet } from "./names.js";
import { applyTheme, topBar } from "./top.js";

/** @import { Friend } from "./types.d.ts" */

applyTheme();
await loadTexts();
document.title = `${t("Friends")} – Droptable`;
const page = h("main", { class: "people friends" });
document.body.append(topBar(t("Friends")), page);
await show();

async function show() {
  try {
    const { name } = await get("me");
    if (!name) {
      fill(page, nothingYet(nobodyYet(), show));
      return;
    }
    const [known, groups, invited, games] = await Promise.all([
      get("friends"),
      get("groups"),
      get("invitations"),
      get("games"),
    ]);
    const byName = new Map(games.map((game) => [game.name, game]));
    fill(
      page,
      invited.length > 0 && invitationSection(invited, byName, show),
      groupSection(groups, true),
      choice(known.invitable),
      h(
        "section",
        { class: "card-box" },
        h("h3", {}, t("People you played with")),
        known.friends.length
          ? h("ul", { class: "met" }, known.friends.map(friend))
          : h("p", { class: "soft" }, nobodyYet()),
      ),
    );
  } catch (error) {
    fill(page, h("p", { class: "card-box" }, messageOf(error)));
  }
}

function nobodyYet() {
  return t("People you have finished a match with appear here.");
}

/** @param {boolean} invitable */
function choice(invitable) {
  return h(
    "section",
    { class: "card-box" },
    h("h3", {}, t("Who may invite you")),
    h(
      "select",
      {
        "aria-label": t("Who may invite you"),
        onchange: (event) =>
          change("friends/me", { invitable: event.currentTarget.value === "met" }),
      },
      h("option", { value: "met", selected: invitable }, t("People I played with, and my groups")),
      h("option", { value: "nobody", selected: !invitable }, t("Nobody")),
    ),
    h(
      "p",
      { class: "soft" },
      t("At a table that waits for players, choose “By name” under Invite friends."),
    ),
  );
}

/** @param {Friend} one */
function friend({ id, name, matches, last, blocked }) {
  const label = blocked ? t("Unblock") : t("Block");
  return h(
    "li",
    {},
    h("a", { href: `p/${id}` }, name),
    h(
      "span",
      { class: "soft" },
      tn("{count} match", "{count} matches", matches),
      " · ",
      when(last),
      blocked && ` · ${t("cannot invite you")}`,
    ),
    h(
      "button",
      {
        type: "button",
        "aria-label": `${label}: ${name}`,
        onclick: () => change(`friends/${id}`, { blocked: !blocked }),
      },
      label,
    ),
  );
}

/**
 * @param {"friends/me" | `friends/${string}`} path
 * @param {any} wish
 */
async function change(path, wish) {
  try {
    await put(path, wish);
  } catch (error) {
    notify(messageOf(error));
  }
  await show();
}
