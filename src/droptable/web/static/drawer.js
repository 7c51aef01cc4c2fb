// @ts-check
// The drawer beside the board: log, chat, rules and settings, with marks for what is new.

import { get, messageOf } from "./api.js";
import { classes, h, notify, update } from "./dom.js";
import { Emitter } from "./events.js";
import { fairLine } from "./fair.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";
import { peopleHere } from "./people.js";
import { RuleBook } from "./rules.js";
import { asSeat } from "./seats.js";
import { settingsForm } from "./top.js";

/** @import { LogLine, TableState } from "./types.d.ts" */
/** @import { IconName } from "./icons.js" */

/** @typedef {"log" | "chat" | "rules" | "settings"} Tab */

/**
 * @typedef {object} DrawerEvents
 * @property {string} say somebody wrote this
 * @property {{ line: LogLine, stay: boolean } | null} look a line to be shown on the board; null: none
 * @property {LogLine} heard somebody else said something while the chat was not seen
 * @property {null} moved the drawer was opened or closed
 */

const KEPT = "drawer"; // where the open tab is stored
const POINT_MS = 140; // how long a pointer rests on a line before it is shown
const docked = matchMedia("(min-width: 901px) and (min-height: 521px)");

/** @returns {{ name: Tab, sign: IconName, label: string }[]} */
function tabList() {
  return [
    { name: "log", sign: "log", label: t("Log") },
    { name: "chat", sign: "chat", label: t("Chat") },
    { name: "rules", sign: "rules", label: t("Rules") },
    { name: "settings", sign: "settings", label: t("Settings") },
  ];
}

/** @extends {Emitter<DrawerEvents>} */
export class Drawer extends Emitter {
  #lines = h("ol", { class: "lines", "aria-label": t("Log") });
  #people = h("div", {}); // while they play; before and after, the page itself names them
  #fair = h("div", { class: "promise" });
  #talk = h("ol", { class: "talk", tabindex: "0", "aria-label": t("Chat") });
  #field = h("input", {
    maxlength: 500,
    placeholder: t("Say something …"),
    "aria-label": t("Say something"),
  });
  #live = h("div", { class: "for-readers", "aria-live": "polite" });
  /** @type {Map<number, HTMLLIElement>} */
  #entries = new Map(); // by `seq`: a line that grows comes again
  /** @type {Record<string, HTMLElement>} */
  #panels;
  /** @type {Record<string, HTMLButtonElement>} */
  #tabs = {};
  /** @type {Tab} */
  #tab = "log";
  #unread = { log: 0, chat: 0 };
  /** Whose log it is. @type {number | null} */
  #seat = null;
  #form;
  #rules = new RuleBook();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pointing;

  constructor() {
    super();
    this.#form = h(
      "form",
      { class: "say", onsubmit: (event) => this.#say(event) },
      this.#field,
      h("button", { "aria-label": t("Send") }, icon("send")),
    );
    this.#panels = {
      log: h("div", { class: "tab-panel" }, this.#people, this.#lines, this.#fair),
      chat: h("div", { class: "tab-panel" }, this.#talk, this.#form),
      rules: h("div", { class: "tab-panel scrolls" }, this.#rules.element),
      settings: h("div", { class: "tab-panel scrolls" }, settingsForm()),
    };
    for (const [name, panel] of Object.entries(this.#panels)) {
      panel.setAttribute("role", "tabpanel");
      panel.id = `tab-${name}`;
    }
    /** Buttons for the bar at the top, which open the drawer. */
    this.buttons = tabList().map((tab) => this.#opener(tab));
    this.element = h(
      "aside",
      { class: "drawer", "aria-label": t("Log, chat, rules and settings") },
      h(
        "div",
        { class: "drawer-head" },
        h(
          "div",
          { class: "tabs", role: "tablist", onkeydown: (event) => this.#stepTab(event) },
          tabList().map((tab) => this.#tabButton(tab)),
        ),
        h(
          "button",
          {
            class: "icon plain closer",
            type: "button",
            "aria-label": t("Close"),
            title: t("Close"),
            onclick: () => this.close(),
          },
          icon("close"),
        ),
      ),
      Object.values(this.#panels),
    );
    this.element.append(this.#live);
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.close();
    });
    this.#lines.addEventListener("pointerleave", () => this.#point(null));
    this.#lines.addEventListener("keydown", (event) => this.#stepLine(event));
    const kept = /** @type {Tab | null} */ (localStorage.getItem(KEPT));
    if (docked.matches && kept && kept in this.#panels) this.open(kept, false);
    else this.#show();
  }

  get isOpen() {
    return this.element.classList.contains("open");
  }

  /** @param {Tab} tab */
  toggle(tab) {
    if (this.isOpen && this.#tab === tab) this.close();
    else this.open(tab);
  }

  /**
   * @param {Tab} tab
   * @param {boolean} focus whether the keyboard follows
   */
  open(tab, focus = true) {
    this.#tab = tab;
    this.element.classList.add("open");
    if (docked.matches) localStorage.setItem(KEPT, tab);
    this.#show();
    if (focus) this.#tabs[tab].focus({ preventScroll: true });
    this.emit("moved", null);
  }

  close() {
    const inside = this.element.contains(document.activeElement);
    this.element.classList.remove("open");
    if (docked.matches) localStorage.removeItem(KEPT);
    this.#show();
    if (inside) this.buttons.find((button) => button.dataset.tab === this.#tab)?.focus();
    this.emit("look", null);
    this.emit("moved", null);
  }

  /** Close it where it covers the board. */
  giveWay() {
    if (!docked.matches && this.isOpen) this.close();
  }

  /**
   * Say why something is not possible, above the rules; opens them there if that is wanted.
   * @param {string} game
   * @param {string} reason
   */
  explain(game, reason, show = false) {
    this.#rules.explain(game, reason);
    if (show) this.open("rules");
  }

  // -- lines ------------------------------------------------------------------------------------

  /**
   * Add the lines of a state, or show them all again if it starts from the beginning.
   * @param {TableState} state
   */
  add(state) {
    const fresh = state.from > 0;
    this.#seat = state.seat;
    if (!fresh) this.clear();
    if (!fresh) this.#offerEarlier(state.table, state.earlier);
    for (const line of state.lines) this.#addLine(line, fresh, state);
    if (state.lines.length) {
      for (const list of [this.#lines, this.#talk]) list.scrollTop = list.scrollHeight;
      if (fresh) this.#live.textContent = state.lines.map(spoken).join(" ");
    }
    this.#form.hidden = !state.you || (state.muted.all && !state.you.owner);
    this.#rules.game = state.game;
    update(this.#people, state.status === "playing" && peopleHere(state));
    update(this.#fair, fairLine(state));
    this.#show();
  }

  /** Forget all lines. */
  clear() {
    clearTimeout(this.#pointing);
    this.#lines.replaceChildren();
    this.#talk.replaceChildren();
    this.#live.replaceChildren();
    this.#entries.clear();
  }

  /**
   * @param {LogLine} line
   * @param {boolean} fresh
   * @param {TableState} state
   */
  #addLine(line, fresh, state) {
    const chat = line.kind === "chat";
    const entry = chat ? said(line) : this.#happened(line);
    const former = this.#entries.get(line.seq);
    this.#entries.set(line.seq, entry);
    if (former) return former.replaceWith(entry);
    (chat ? this.#talk : this.#lines).append(entry);
    const mine = line.seat !== undefined && line.seat === state.seat;
    if (!fresh || mine || this.#sees(chat ? "chat" : "log")) return;
    this.#unread[chat ? "chat" : "log"] += 1;
    if (chat) this.emit("heard", line);
  }

  /**
   * A button above the first line of log and chat, if there were lines before it.
   * @param {string} table
   * @param {number} earlier
   */
  #offerEarlier(table, earlier) {
    for (const list of [this.#lines, this.#talk]) {
      list.querySelector(".earlier")?.remove();
      if (!earlier) continue;
      const onclick = () => this.#showEarlier(table, earlier);
      const button = h("button", { type: "button", class: "plain", onclick }, t("Show earlier"));
      list.prepend(h("li", { class: "earlier" }, button));
    }
  }

  /**
   * @param {string} table
   * @param {number} before
   */
  async #showEarlier(table, before) {
    try {
      const whose = asSeat(this.#seat);
      const { lines, earlier } = await get(`tables/${table}/log`, { before, ...whose });
      if (whose.seat !== asSeat(this.#seat).seat) return; // the device is somebody else's now
      for (const line of lines.reverse()) {
        const chat = line.kind === "chat";
        const entry = chat ? said(line) : this.#happened(line);
        this.#entries.set(line.seq, entry);
        (chat ? this.#talk : this.#lines).prepend(entry);
      }
      this.#offerEarlier(table, earlier);
    } catch (error) {
      notify(messageOf(error));
    }
  }

  /** @param {LogLine} line */
  #happened(line) {
    if (line.kind !== "move") return h("li", { class: line.kind }, line.text);
    const look = (/** @type {boolean} */ stay) => this.#point(line, stay);
    return h(
      "li",
      { class: line.kind },
      h(
        "button",
        {
          class: "line",
          type: "button",
          tabindex: "-1",
          title: t("Show this on the board"),
          onpointerenter: (event) => event.pointerType === "mouse" && look(false),
          onfocus: (event) => event.currentTarget.matches(":focus-visible") && look(false),
          onclick: () => look(true),
        },
        line.text,
      ),
    );
  }

  /**
   * Point at a line, at once or if the pointer stays there.
   * @param {LogLine | null} line
   */
  #point(line, stay = false) {
    clearTimeout(this.#pointing);
    const tell = () => this.emit("look", line && { line, stay });
    if (stay) tell();
    else this.#pointing = setTimeout(tell, POINT_MS);
  }

  /** @param {KeyboardEvent} event */
  #stepLine(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const lines = [...this.#lines.querySelectorAll("button")];
    const at = lines.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    lines[Math.min(lines.length - 1, Math.max(0, at + step))]?.focus();
  }

  /** @param {SubmitEvent} event */
  #say(event) {
    event.preventDefault();
    const text = this.#field.value.trim();
    if (text) this.emit("say", text);
    this.#field.value = "";
  }

  // -- tabs -------------------------------------------------------------------------------------

  /** @param {"log" | "chat"} tab */
  #sees(tab) {
    return this.isOpen && this.#tab === tab && !document.hidden;
  }

  /** @param {{ name: Tab, sign: IconName, label: string }} tab */
  #opener({ name, sign, label }) {
    return h(
      "button",
      {
        class: "icon plain opener",
        type: "button",
        title: label,
        "aria-label": label,
        "data-tab": name,
        onclick: () => this.toggle(name),
      },
      icon(sign),
      h("span", { class: "unread", hidden: true }),
    );
  }

  /** @param {{ name: Tab, label: string }} tab */
  #tabButton({ name, label }) {
    this.#tabs[name] = h(
      "button",
      {
        class: "tab plain",
        type: "button",
        role: "tab",
        "aria-controls": `tab-${name}`,
        onclick: () => this.open(name),
      },
      label,
    );
    return this.#tabs[name];
  }

  /** @param {KeyboardEvent} event */
  #stepTab(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const names = tabList().map((tab) => tab.name);
    this.open(names[(names.indexOf(this.#tab) + step + names.length) % names.length]);
  }

  /** Show the open tab, and what is new in the others. */
  #show() {
    for (const [name, panel] of Object.entries(this.#panels)) {
      const chosen = name === this.#tab;
      panel.hidden = !chosen;
      this.#tabs[name].setAttribute("aria-selected", String(chosen));
      this.#tabs[name].tabIndex = chosen ? 0 : -1;
    }
    if (this.isOpen && this.#tab === "rules") this.#rules.load();
    for (const tab of /** @type {const} */ (["log", "chat"]))
      if (this.#sees(tab)) this.#unread[tab] = 0;
    const last = this.#lines.querySelector("li:last-child button");
    last?.setAttribute("tabindex", "0");
    for (const button of this.buttons) this.#mark(button);
    if (!this.isOpen) return;
    for (const list of [this.#lines, this.#talk]) list.scrollTop = list.scrollHeight;
  }

  /** @param {HTMLButtonElement} button */
  #mark(button) {
    const { tab } = button.dataset;
    const count = tab === "log" || tab === "chat" ? this.#unread[tab] : 0;
    const mark = /** @type {HTMLElement} */ (button.querySelector(".unread"));
    const label = this.#tabs[tab ?? "log"].textContent ?? "";
    mark.hidden = count === 0;
    mark.textContent = tab === "chat" ? String(Math.min(count, 99)) : "";
    mark.className = classes("unread", tab === "log" && "dot");
    button.setAttribute("aria-pressed", String(this.isOpen && this.#tab === tab));
    button.setAttribute("aria-label", count ? t("{label}: {count} new", { label, count }) : label);
  }
}

/** @param {LogLine} line */
function said(line) {
  return h("li", { class: "chat" }, h("b", {}, `${line.name}: `), line.text);
}

/** @param {LogLine} line */
export function spoken(line) {
  return line.kind === "chat" ? `${line.name}: ${line.text}` : line.text;
}

/**
 * The last thing that happened in the match, if this state brings something.
 * @param {TableState} state
 */
export function latestLine(state) {
  return state.lines.findLast((line) => line.kind === "move" || line.kind === "undo")?.text ?? null;
}
