// A match to look at again: any moment, by any eyes, with the coach beside it.
import { get } from "./api.js";
import { Chart } from "./chart.js";
import { CoachPanel } from "./coach.js";
import { fill, h, notify } from "./dom.js";
import { exportsBox } from "./exports.js";
import { icon } from "./icons.js";
import { dropAnywhere, opening } from "./upload.js";
import { Player } from "./player.js";
import { Scene } from "./scene.js";
import { seatMark } from "./seats.js";
import { loadTexts, t } from "./i18n.js";
import { applyTheme, topBar } from "./top.js";

applyTheme();
await loadTexts();
const tall = matchMedia("(max-aspect-ratio: 1/1)");
const place = decodeURIComponent(
  new URL(location.href).pathname.split("/replay")[1]?.slice(1) ?? "",
);
const key = place.startsWith("record:") ? place : `table:${place}`;
const title = h("span", {}, t("Replay"));
const main = h("main", { class: "again" });
document.body.append(topBar(title), main);
dropAnywhere();

if (place) begin();
else fill(main, opening());

async function begin() {
  const [at, seat] = location.hash.slice(1).split("@");
  let match;
  try {
    match = await get(`replays/${key}`, seat ? { seat } : {});
  } catch (error) {
    return fill(main, opening(error.message, error.kind === "illegal" ? `t/${place}` : null));
  }
  const eyes = seat ? Number(seat) : match.you;
  if (eyes !== null && !seat) match = await get(`replays/${key}`, { seat: eyes });
  show(match, eyes, at ? Math.min(Math.max(0, Number(at) || 0), match.length) : null);
}

function show(match, firstEyes, firstAt) {
  let eyes = firstEyes,
    moment = null,
    asked = 0;
  const shape = () => (tall.matches ? "tall" : "wide");
  const scenes = new Map(); // what the server drew, by question
  const board = h("div", { class: "board", role: "group", "aria-label": t("The board") });
  const said = h("p", { class: "said", role: "status" });
  const advice = h("div", { class: "advice", role: "status" });
  const seats = h("div", { class: "seats", role: "group", "aria-label": t("Seats") });
  const scene = new Scene(board);
  const player = new Player(
    match.length,
    (at) => match.events[at - 1]?.text || at === 0,
    (at) => match.events[at - 1]?.actor === -1,
  );
  const coach = new CoachPanel(key, match, (at) => player.go(at));
  const chart = new Chart(match, (at) => player.go(at));
  const picker = h(
    "select",
    { onchange: () => look(picker.value === "" ? null : Number(picker.value)) },
    h("option", { value: "" }, t("Everything is open")),
    match.names.map((name, seat) =>
      h(
        "option",
        { value: String(seat), selected: seat === eyes },
        t("What {name} could see", { name }),
      ),
    ),
  );
  const nextMistake = h(
    "button",
    {
      class: "tool",
      type: "button",
      disabled: true,
      "aria-label": t("Next mistake"),
      title: t("Next mistake"),
      onclick: () => jump(),
    },
    icon("mistake"),
    h("span", {}, t("Next mistake")),
  );

  title.textContent = t("{title}: replay", { title: match.title });
  document.title = `${match.title} – Droptable`;
  fill(
    main,
    h(
      "section",
      { class: "stage" },
      seats,
      h("div", { class: "say-line" }, said, advice),
      board,
      player.bar(nextMistake),
    ),
    h(
      "section",
      { class: "side" },
      h(
        "label",
        { class: "eyes" },
        icon("eye"),
        h("span", { class: "for-readers" }, t("Whose eyes")),
        picker,
      ),
      h("div", { class: "card-box" }, coach.head, chart.element, coach.body),
      exportsBox(key, place, match, () => ({
        at: player.at,
        seat: eyes,
        scene: shape(),
        focus: coach.at(player.at)?.seat ?? null,
      })),
    ),
  );

  player.addEventListener("moment", () => draw());
  coach.addEventListener("news", () => {
    nextMistake.disabled = !coach.marked.length;
    chart.draw(coach.decisions);
    draw();
  });
  tall.addEventListener("change", () => draw());
  player.go(firstAt ?? 0);

  /** Go to the next marked decision, from the last one back to the first. */
  function jump() {
    const next = coach.marked.find((decision) => decision.event > player.at) ?? coach.marked[0];
    if (next) player.go(next.event);
  }

  async function look(seat) {
    eyes = seat;
    const told = await get(`replays/${key}`, seat === null ? {} : { seat });
    match.events = told.events;
    draw();
  }

  /** What is asked of the server for a moment; at a marked decision the better move as well. */
  function question(at) {
    const judged = coach.at(at);
    const asks = { at, scene: shape() };
    if (eyes !== null) asks.seat = eyes;
    if (judged?.mark) Object.assign(asks, { focus: judged.seat, show: judged.best.token });
    return asks;
  }

  function drawn(at) {
    const asks = question(at),
      name = JSON.stringify([asks, eyes]);
    if (!scenes.has(name)) {
      if (scenes.size > 200) scenes.delete(scenes.keys().next().value);
      scenes.set(
        name,
        get(`replays/${key}/scene`, asks).catch((error) => {
          scenes.delete(name);
          throw error;
        }),
      );
    }
    return scenes.get(name);
  }

  async function draw() {
    const { at } = player,
      number = ++asked;
    tell(at);
    try {
      moment = await drawn(at);
    } catch (error) {
      player.pause();
      return notify(error.message);
    }
    if (number !== asked) return; // somebody has gone on meanwhile
    if (moment.picture) {
      document.documentElement.dataset.accent = moment.picture.accent;
      scene.show(moment.picture.svg);
      advise(coach.at(at));
    }
    fill(
      seats,
      match.names.map((name, seat) => plate(name, seat, at)),
    );
    history.replaceState(null, "", `${location.pathname}#${at}${eyes === null ? "" : `@${eyes}`}`);
    if (at < match.length) drawn(player.next()).catch(() => {}); // so that it is there when it is wanted
  }

  function tell(at) {
    const text = match.events[at - 1]?.text;
    said.textContent =
      at === match.length
        ? match.verdict
        : at === 0
          ? t("The match begins: {names}.", { names: match.names.join(", ") })
          : text || "…";
    const judged = coach.at(at);
    fill(advice, judged?.mark ? coach.sentence(judged) : "");
    chart.at(at, coach.chances(at));
  }

  /** The better move on the board: its things are pointed at, and what it would have done. */
  function advise(judged) {
    if (!judged?.mark || judged.seat !== moment.seat) return; // the picture is another seat's
    scene.point(judged.best.path);
    if (!moment.ghost) return;
    const parsed = new DOMParser().parseFromString(
      `<svg xmlns="http://www.w3.org/2000/svg"><g class="ghost">${moment.ghost}</g></svg>`,
      "image/svg+xml",
    );
    board.firstElementChild.append(
      document.importNode(parsed.documentElement.firstElementChild, true),
    );
  }

  function plate(name, seat, at) {
    const chance = coach.chances(at)?.[seat];
    const won = at === match.length && match.winners.includes(seat);
    const acting = moment.to_act.includes(seat);
    return h(
      "div",
      { class: ["seat", acting && "acting", won && "winner"].filter(Boolean).join(" ") },
      seatMark(seat),
      h(
        "span",
        { class: "who" },
        h("span", { class: "name" }, name),
        chance !== undefined &&
          h("span", { class: "chance soft", title: t("Chance to win") }, coach.amount(chance)),
      ),
      won && icon("trophy"),
      h("span", { class: "score", title: t("Score") }, String(moment.scores[seat])),
    );
  }
}
