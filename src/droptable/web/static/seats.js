// The seats of a table: colour and symbol, name, who plays, presence, clock and score.
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { t, tn } from "./i18n.js";

const SYMBOLS = ["●", "■", "▲", "✚", "★", "◯"]; // as in the pictures

export function seatMark(seat) {
  return h("span", { class: `mark mark-${seat}`, "aria-hidden": "true" }, SYMBOLS[seat]);
}

export function seatPanels(state, onFocus) {
  return state.seats.map((seat, number) => {
    const here = seat.people.length === 0 || seat.present.some(Boolean);
    const acting = state.to_act.includes(number);
    const who = seat.bot
      ? t(seat.bot)
      : seat.stand_in
        ? t("{level} plays for them", { level: t(seat.stand_in) })
        : here
          ? ""
          : t("away");
    const winner = state.result?.winners.includes(number);
    return h(
      "button",
      {
        class: [
          "seat",
          acting && "acting",
          number === state.seat && "mine",
          (seat.stand_in || !here) && "away",
          seat.resigned && "resigned",
          winner && "winner",
        ]
          .filter(Boolean)
          .join(" "),
        type: "button",
        title: [t("Look at this seat"), who].filter(Boolean).join(" · "),
        onclick: () => onFocus(number),
      },
      seatMark(number),
      h(
        "span",
        { class: "who" },
        h("span", { class: "name" }, seat.name),
        " ",
        who && h("span", { class: "soft" }, who),
      ),
      state.clocks && h("span", { class: "clock", "data-seat": number }),
      state.scores &&
        h("span", { class: "score", title: t("Score") }, String(state.scores[number])),
      winner && h("span", { title: t("Winner"), class: "trophy" }, icon("trophy")),
    );
  });
}

/** Let the clocks of a state run in these panels; returns how to stop them. */
export function runClocks(box, state) {
  if (!state.clocks) return () => {};
  const start = performance.now();
  const show = () => {
    for (const clock of box.querySelectorAll(".clock")) {
      const seat = Number(clock.dataset.seat);
      const gone = state.clocks.running[seat] ? (performance.now() - start) / 1000 : 0;
      const left = Math.max(0, state.clocks.left[seat] - gone);
      clock.textContent = inWords(left);
      clock.classList.toggle("soon", left < 20 && state.clocks.running[seat]);
    }
  };
  show();
  const timer = setInterval(show, 500);
  return () => clearInterval(timer);
}

function inWords(seconds) {
  if (seconds >= 172800) return tn("{count} day", "{count} days", Math.floor(seconds / 86400));
  if (seconds >= 7200) return t("{count} h", { count: Math.floor(seconds / 3600) });
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
