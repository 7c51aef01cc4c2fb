// Setting up a table: players, seats, options with their meaning, clock, who may join.
import { ask, fill, h } from "./dom.js";
import { t, tn } from "./i18n.js";

const BOTS = ["easy", "normal", "hard", "master"];
const CLOCKS = {
  "": null,
  "turn-60": ["turn", 60],
  "turn-300": ["turn", 300],
  "match-900": ["match", 900],
  "match-3600": ["match", 3600],
  "turn-86400": ["turn", 86400],
};

/** Ask for settings and `open` a table with them; what is refused can be mended. */
export async function setUp(game, open) {
  const seats = h("div", { class: "seat-choices" });
  const players = h(
    "select",
    { id: "players", onchange: showSeats },
    game.players.map((count) =>
      h(
        "option",
        { value: count, selected: count === (game.players.find((n) => n > 1) ?? 1) },
        count,
      ),
    ),
  );
  const shuffled = h("input", { type: "checkbox" });
  const isPublic = h("input", { type: "checkbox" });
  const clock = h(
    "select",
    {},
    Object.keys(CLOCKS).map((key) => h("option", { value: key }, clockName(key))),
  );
  const atZero = h(
    "select",
    {},
    h("option", { value: "bot" }, t("a bot plays on")),
    h("option", { value: "resign" }, t("the seat resigns")),
  );
  const options = Object.entries(game.options).map(([name, option]) => [
    name,
    option,
    field(name, option),
  ]);

  function showSeats() {
    fill(
      seats,
      Array.from({ length: Number(players.value) }, (_, seat) =>
        h(
          "label",
          {},
          t("Seat {number}", { number: seat + 1 }),
          h(
            "select",
            { class: "seat-choice" },
            seat === 0 && h("option", { value: "me" }, t("me")),
            h("option", { value: "open" }, t("open for a friend")),
            BOTS.map((bot) => h("option", { value: bot }, t("bot: {level}", { level: t(bot) }))),
            seat > 0 && h("option", { value: "me" }, t("me")),
          ),
        ),
      ),
    );
  }
  showSeats();
  const problem = h("p", { class: "bad", role: "alert" });
  const body = h(
    "form",
    {
      class: "setup",
      onsubmit: (event) => {
        event.preventDefault();
        submit();
      },
    },
    game.players.length > 1 && h("label", {}, t("Players"), players),
    seats,
    h("label", { class: "check" }, shuffled, t("Draw the seats by lot")),
    h("label", { class: "check" }, isPublic, t("Show the table in the list of open tables")),
    h("label", {}, t("Clock"), clock),
    h("label", {}, t("When the time is up"), atZero),
    options.length
      ? h(
          "details",
          {},
          h("summary", {}, t("Options of the game")),
          options.map(([, , shown]) => shown.element),
        )
      : null,
    problem,
  );
  return ask(t("Set up {game}", { game: game.title }), body, [
    [t("Cancel"), null],
    [
      t("Open the table"),
      () => {
        submit();
      },
      true,
    ],
  ]);

  async function submit() {
    const settings = collect();
    try {
      if (settings) await open(settings);
    } catch (error) {
      problem.textContent = error.message;
    }
    problem.scrollIntoView();
  }

  function collect() {
    const chosen = [...seats.querySelectorAll("select")].map((select) => select.value);
    if (chosen.filter((seat) => seat === "me").length > 1) {
      problem.textContent = t("You can sit at one seat only.");
      return undefined;
    }
    const settings = {
      game: game.name,
      players: Number(players.value),
      seats: chosen,
      shuffled: shuffled.checked,
      public: isPublic.checked,
      options: {},
    };
    const [per, seconds] = CLOCKS[clock.value] ?? [];
    if (per) settings.clock = { per, seconds, at_zero: atZero.value };
    for (const [name, option, shown] of options) {
      const value = shown.value();
      if (JSON.stringify(value) !== JSON.stringify(option.default)) settings.options[name] = value;
    }
    return settings;
  }
}

function clockName(key) {
  if (!key) return t("none: take your time, even days");
  const [per, seconds] = CLOCKS[key];
  const time =
    seconds < 3600
      ? tn("{count} minute", "{count} minutes", seconds / 60)
      : seconds < 86400
        ? tn("{count} hour", "{count} hours", seconds / 3600)
        : tn("{count} day", "{count} days", seconds / 86400);
  return per === "turn" ? t("{time} per turn", { time }) : t("{time} for the match", { time });
}

/** A control for one option, by its kind. */
function field(name, option) {
  const help = h(
    "small",
    { class: "soft" },
    option.kind === "flag" || option.kind === "choice"
      ? option.help
      : `${option.help} (${option.range})`,
  );
  const called = name.replaceAll("_", " ");
  const label = t(called);
  if (option.kind === "flag") {
    const box = h("input", { type: "checkbox", checked: option.default });
    return {
      element: h("label", { class: "option" }, h("span", { class: "check" }, box, label), help),
      value: () => box.checked,
    };
  }
  if (option.kind === "choice") {
    const select = h(
      "select",
      {},
      option.choices.map((choice) =>
        h(
          "option",
          { value: String(choice), selected: choice === option.default },
          t(String(choice)),
        ),
      ),
    );
    return {
      element: h("label", { class: "option" }, label, select, help),
      value: () => option.choices[select.selectedIndex],
    };
  }
  if (option.kind === "numbers") {
    const input = h("input", { value: option.default.join(" ") });
    return {
      element: h("label", { class: "option" }, label, input, help),
      value: () =>
        input.value
          .split(/[\s,]+/)
          .filter(Boolean)
          .map(number),
    };
  }
  const input = h("input", {
    type: "number",
    min: option.low,
    max: option.high,
    value: String(option.default),
  });
  return {
    element: h("label", { class: "option" }, label, input, help),
    value: () => number(input.value),
  };
}

/** What was typed, as a number if it is one; the server says what is wrong otherwise. */
const number = (text) => (text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text));
