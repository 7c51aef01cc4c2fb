// @ts-check
// Before the match, on one screen: what is played, who sits where, how to invite, and the start.

import { clockName } from "./clock_words.js";
import { classes, h } from "./dom.js";
import { seatFace } from "./faces.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";
import { inviteByName } from "./invitations.js";
import { copy, linkField, qrCode, share } from "./links.js";
import { askName, rename } from "./names.js";
import { inWords } from "./options.js";
import { peopleHere } from "./people.js";
import { BOTS, isHere, OWN_BOTS } from "./seats.js";
import { matchPicture } from "./top.js";

/** @import { ClockSettings, Game, Seat, SendCommand, TableState } from "./types.d.ts" */

/**
 * @param {TableState} state
 * @param {Game | undefined} game
 * @param {SendCommand} send
 * @param {(seat: number) => unknown} sit
 */
export function waiting(state, game, send, sit) {
  const full = state.seats.every((seat) => !isFree(seat));
  return h(
    "div",
    { class: classes("waiting", full && "full", state.players > 4 && "many") },
    about(state, game),
    h(
      "section",
      { class: "who-plays", "aria-label": t("Seats") },
      h(
        "ul",
        { class: "places" },
        state.seats.map((seat, number) =>
          h("li", { class: "place", "data-key": number }, place(state, seat, number, send, sit)),
        ),
      ),
      peopleHere(state),
    ),
    invitation(state, game),
    h(
      "div",
      { class: "row" },
      h("p", { class: "soft next" }, nextStep(state, full)),
      state.seat !== null &&
        h("button", { type: "button", onclick: () => send({ type: "leave" }) }, t("Leave")),
      state.you?.owner && startButton(full, send),
    ),
  );
}

/** @param {Seat} seat */
function isFree(seat) {
  return !seat.bot && seat.people.length === 0;
}

/**
 * The game, its options in words and the clock.
 * @param {TableState} state
 * @param {Game | undefined} game
 */
function about(state, game) {
  return h(
    "header",
    { class: "about" },
    h("img", { src: matchPicture(state.game), alt: "", width: 160, height: 90 }),
    h(
      "div",
      {},
      h("h2", {}, state.title || game?.title || state.game),
      h("p", { class: "summary" }, game?.summary ?? ""),
      h(
        "ul",
        { class: "terms" },
        terms(state, game).map((words) => h("li", {}, words)),
      ),
    ),
  );
}

/**
 * What has been agreed on: the clock, and what differs from the usual rules.
 * @param {TableState} state
 * @param {Game | undefined} game
 */
function terms(state, game) {
  const options = Object.entries(game?.options ?? {}).filter(
    ([name, option]) => JSON.stringify(option.default) !== JSON.stringify(state.options[name]),
  );
  const { clocks } = state;
  return [
    ...options.map(([name, option]) => inWords(option, state.options[name])),
    !options.length && t("Usual rules"),
    clocks ? clockInWords(clocks) : t("No clock"),
    state.public ? t("Public table") : t("Only with the link"),
    state.shuffled && t("Seats are drawn at random"),
    state.hints && t("Hints allowed"),
    state.rated && t("Rated: no hints, no help from others, no bot takes over"),
  ].filter((words) => words !== false && words !== null);
}

/** @param {ClockSettings} clock */
function clockInWords({ per, seconds, at_zero }) {
  const time = clockName(per, seconds);
  if (at_zero === "bot") return t("{time}, then a bot plays on", { time });
  return t("{time}, then the player resigns", { time });
}

/**
 * One seat, and what can be done with it.
 * @param {TableState} state
 * @param {Seat} seat
 * @param {number} number
 * @param {SendCommand} send
 * @param {(seat: number) => unknown} sit
 */
function place(state, seat, number, send, sit) {
  const owner = state.you?.owner;
  return [
    seatFace(seat, number),
    h(
      "span",
      { class: "who" },
      h("span", { class: "name" }, isFree(seat) ? emptySeat(seat) : seat.name),
      h("span", { class: "soft" }, whoElse(state, seat, number)),
    ),
    number === state.seat && !seat.here && renameButton(number, send),
    state.open.includes(number) && sitButton(state, seat, number, sit),
    mayAdd(state, seat) && hereButton(number, send),
    state.you?.seats.includes(number) && seat.here && leaveButton(seat, number, send),
    owner &&
      isFree(seat) &&
      botChoice(state, seat, (bot) => send({ type: "add_bot", seat: number, bot })),
    owner && seat.bot && removeButton(seat, number, send),
  ];
}

/** @param {Seat} seat */
function emptySeat(seat) {
  return seat.reserved ? t("Reserved") : t("Free seat");
}

/**
 * The level of a bot, and whether a person is me, the host or away.
 * @param {TableState} state
 * @param {Seat} seat
 * @param {number} number
 */
function whoElse(state, seat, number) {
  const notes = [
    seat.bot && t("{level} bot", { level: t(seat.bot) }),
    number === state.seat && !seat.here && t("you"),
    number === state.owner_seat && !seat.here && t("host"),
    seat.here && (state.you?.seats.includes(number) ? t("on this device") : t("same device")),
    seat.people.length > 0 && !isHere(seat) && t("away"),
  ];
  return notes.filter(Boolean).join(" · ");
}

/**
 * @param {number} seat
 * @param {SendCommand} send
 */
function renameButton(seat, send) {
  const label = t("Change your name");
  const change = async () => (await rename()) && send({ type: "join", seat });
  return h(
    "button",
    { class: "icon plain", type: "button", title: label, "aria-label": label, onclick: change },
    icon("pencil"),
  );
}

/**
 * @param {TableState} state
 * @param {Seat} seat
 * @param {number} number
 * @param {(seat: number) => unknown} sit
 */
function sitButton(state, seat, number, sit) {
  const first = state.open[0] === number;
  return h(
    "button",
    { class: classes(first && "main"), type: "button", onclick: () => sit(number) },
    seat.people.length ? t("Share this seat") : t("Sit here"),
  );
}

/**
 * Whether I may seat somebody else on this device there.
 * @param {TableState} state
 * @param {Seat} seat
 */
function mayAdd(state, seat) {
  const sits = (state.you?.seats.length ?? 0) > 0;
  return isFree(seat) && !seat.reserved && sits && (!state.public || state.you?.owner);
}

/**
 * @param {number} seat
 * @param {SendCommand} send
 */
function hereButton(seat, send) {
  async function add() {
    const name = await askName(t("Who plays on this device?"));
    if (name) send({ type: "join", seat, name });
  }
  const label = t("Somebody on this device");
  return h(
    "button",
    { type: "button", class: "icon", title: label, "aria-label": label, onclick: add },
    icon("people"),
  );
}

/**
 * @param {Seat} seat
 * @param {number} number
 * @param {SendCommand} send
 */
function leaveButton(seat, number, send) {
  const label = t("Remove {name}", { name: seat.name });
  const onclick = () => send({ type: "leave", seat: number });
  return h("button", { type: "button", "aria-label": label, onclick }, t("Remove"));
}

/**
 * @param {Seat} seat
 * @param {number} number
 * @param {SendCommand} send
 */
function removeButton(seat, number, send) {
  return h(
    "button",
    {
      type: "button",
      "aria-label": t("Remove {name}", { name: seat.name }),
      onclick: () => send({ type: "remove_bot", seat: number }),
    },
    t("Remove"),
  );
}

/**
 * @param {TableState} state
 * @param {Seat} seat
 * @param {(bot: string) => unknown} add
 */
function botChoice(state, seat, add) {
  return h(
    "select",
    {
      "aria-label": `${t("Add a bot")}: ${seat.name}`,
      onchange: ({ currentTarget: { value } }) => value && add(value),
    },
    h("option", { value: "" }, t("Add a bot …")),
    BOTS.map((bot) => h("option", { value: bot }, t(bot))),
    !state.rated && OWN_BOTS.map((bot) => h("option", { value: bot }, bot)),
  );
}

/**
 * @param {TableState} state
 * @param {Game | undefined} game
 */
function invitation(state, game) {
  const field = linkField(new URL(`t/${state.table}`, document.baseURI).href);
  const title = game?.title ?? "Droptable";
  return h(
    "section",
    { class: "invite", "aria-label": t("Invite") },
    h(
      "div",
      { class: "invite-link" },
      h("h3", {}, t("Invite friends")),
      field,
      h(
        "div",
        { class: "invite-ways" },
        h(
          "button",
          { type: "button", onclick: () => copy(field) },
          icon("copy"),
          t("Copy the link"),
        ),
        "share" in navigator &&
          h(
            "button",
            { type: "button", onclick: () => share(title, field.value) },
            icon("share"),
            t("Share"),
          ),
        state.seat !== null &&
          h("button", { type: "button", onclick: () => inviteByName(state.table) }, t("By name")),
        h("a", { class: "button", href: `tv/${state.table}`, target: "_blank" }, t("On a TV")),
      ),
    ),
    qrCode(state.table, 160),
  );
}

/**
 * What the table waits for.
 * @param {TableState} state
 * @param {boolean} full
 */
function nextStep(state, full) {
  const owner = state.you?.owner;
  if (full) return owner ? t("Everybody is here.") : t("Waiting for the host to start.");
  if (state.seat === null)
    return state.open.length ? t("Take a seat to play.") : t("You can watch.");
  return owner ? t("Invite friends, or add bots.") : t("Waiting for more players.");
}

/**
 * @param {boolean} full
 * @param {SendCommand} send
 */
function startButton(full, send) {
  /** @param {{ currentTarget: HTMLButtonElement }} event */
  async function start({ currentTarget: button }) {
    button.disabled = true; // a second click starts nothing
    button.disabled = (await send({ type: "start" })).ok;
  }
  return h(
    "button",
    { class: "main start-button", type: "button", disabled: !full, onclick: start },
    icon("play"),
    t("Start the match"),
  );
}
