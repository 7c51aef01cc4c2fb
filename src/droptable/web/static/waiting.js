// Before the match: who sits where, empty seats, and the start.
import { h } from "./dom.js";
import { linkField } from "./links.js";
import { seatMark } from "./seats.js";
import { t } from "./i18n.js";

const BOTS = ["easy", "normal", "hard", "master"];

export function waiting(state, game, id, command, sit) {
  const owner = state.you?.owner;
  const seated = state.seat !== null;
  const link = new URL(`t/${id}`, document.baseURI).href;
  const rows = state.seats.map((seat, number) => {
    const free = !seat.bot && seat.people.length === 0;
    return h(
      "li",
      { class: "place" },
      seatMark(number),
      h(
        "span",
        { class: "who" },
        free ? (seat.reserved ? t("kept for somebody") : t("a free seat")) : seat.name,
      ),
      state.open.includes(number) &&
        h("button", { class: "main", onclick: () => sit(number) }, t("Sit here")),
      owner &&
        free &&
        h(
          "select",
          {
            "aria-label": t("Seat a bot"),
            onchange: (event) =>
              event.target.value &&
              command({ type: "add_bot", seat: number, bot: event.target.value }),
          },
          h("option", { value: "" }, t("Seat a bot …")),
          BOTS.map((bot) => h("option", { value: bot }, t(bot))),
        ),
      owner &&
        seat.bot &&
        h(
          "button",
          { onclick: () => command({ type: "remove_bot", seat: number }) },
          t("Send away"),
        ),
    );
  });
  /** A second click starts nothing. */
  async function begin({ target }) {
    target.disabled = true;
    target.disabled = (await command({ type: "start" })).ok;
  }
  const full = state.seats.every((seat) => seat.bot || seat.people.length);
  return h(
    "div",
    { class: "card-box waiting" },
    h("h2", {}, t("Waiting for players")),
    h("p", {}, game?.summary ?? ""),
    h("ul", { class: "places" }, rows),
    !full &&
      h(
        "div",
        { class: "invite" },
        h("p", {}, t("Invite friends by this link or code:")),
        linkField(link),
        h("img", {
          src: `api/tables/${id}/qr.svg`,
          alt: t("QR code of the link"),
          width: 160,
          height: 160,
        }),
      ),
    h(
      "div",
      { class: "row" },
      owner &&
        h("button", { class: "main", disabled: !full, onclick: begin }, t("Start the match")),
      seated && h("button", { onclick: () => command({ type: "leave" }) }, t("Get up")),
    ),
  );
}
