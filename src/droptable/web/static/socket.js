// @ts-check
// The socket of one table: it reconnects by itself, and every command gets its answer once.

import { sentence } from "./api.js";
import { Emitter } from "./events.js";
import { language } from "./i18n.js";

/** @import { Answer, Command, Look, Problem, TableState } from "./types.d.ts" */

const LONGEST_WAIT = 8000; // milliseconds between two attempts
const CROWDED_ATTEMPTS = 4; // the wait begins there if the server has no room
const NO_SUCH_TABLE = 4404; // codes that the server closes with
const TOO_MANY = 4429;

/**
 * @typedef {object} SocketEvents
 * @property {TableState} state
 * @property {boolean} connection whether there is one now
 * @property {Problem} refused a message that could not be read
 * @property {string} crowded why the server has no room; empty: the connection was just lost
 * @property {null} gone there is no such table
 */

/** @extends {Emitter<SocketEvents>} */
export class TableSocket extends Emitter {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<string, { message: string, resolve: (answer: Answer) => void }>} */
  #unanswered = new Map(); // commands, by id
  #seen = 0;
  /** @type {number | null} */
  #seat = null;
  #attempts = 0;

  /**
   * @param {string} table
   * @param {Look} look
   */
  constructor(table, look) {
    super();
    this.table = table;
    this.look = look;
    addEventListener("online", () => this.#connect());
    addEventListener("pagehide", () => this.#socket?.close());
    addEventListener("pageshow", (event) => event.persisted && this.#connect());
    document.addEventListener("visibilitychange", () => {
      this.#tellVisibility();
      if (!document.hidden) this.#connect();
    });
    this.#connect();
  }

  /**
   * Send a command; resolves to its answer, however often the connection breaks meanwhile.
   * @param {Command} command
   * @param {number} [seq] what its sender has seen
   * @returns {Promise<Answer>}
   */
  send(command, seq = this.#seen) {
    const id = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    const message = JSON.stringify({ id, seq, command });
    return new Promise((resolve) => {
      this.#unanswered.set(id, { message, resolve });
      this.#transmit(message);
    });
  }

  /**
   * Be shown the table in another way.
   * @param {Partial<Look>} look
   */
  show(look) {
    if (look.seat !== undefined && look.seat !== this.look.seat) {
      this.#seen = 0; // another log
      this.#seat = look.seat;
    }
    this.look = { ...this.look, ...look };
    const { scene, focus, beats, seat } = this.look;
    this.#transmit(JSON.stringify({ look: { scene, focus, beats, seat, language } }));
  }

  /** @param {string} message */
  #transmit(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(message);
  }

  /** Who looks at the table gets no notice of it. */
  #tellVisibility() {
    this.#transmit(JSON.stringify({ visible: !document.hidden }));
  }

  #connect() {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    const socket = new WebSocket(this.#address());
    const asked = this.look;
    this.#socket = socket;
    socket.onopen = () => {
      if (document.hidden) this.#tellVisibility();
      if (this.look !== asked) this.show({}); // the screen was turned meanwhile
      // The server may have got them before: the same id is obeyed once.
      for (const { message } of this.#unanswered.values()) socket.send(message);
    };
    socket.onmessage = ({ data }) => {
      // Only now: a socket that is one too many is opened as well, and closed with the reason.
      if (this.#attempts) this.emit("connection", true);
      this.#attempts = 0;
      this.#receive(JSON.parse(data));
    };
    socket.onclose = ({ code, reason }) => this.#lost(socket, code, reason);
  }

  #address() {
    const { scene, beats, seat, watch } = this.look;
    const query = new URLSearchParams({ seq: `${this.#seen}`, language, scene, beats: `${beats}` });
    if (this.#seat !== null) query.set("seat", `${this.#seat}`);
    if (seat !== null) query.set("held", `${seat}`);
    if (watch) query.set("watch", "true");
    if (this.look.focus !== null) query.set("focus", `${this.look.focus}`);
    const address = new URL(`api/tables/${this.table}/socket?${query}`, document.baseURI);
    address.protocol = address.protocol.replace("http", "ws");
    return address;
  }

  /**
   * @param {WebSocket} socket
   * @param {number} code
   * @param {string} reason
   */
  #lost(socket, code, reason) {
    if (socket !== this.#socket) return;
    this.emit("connection", false);
    if (code === NO_SUCH_TABLE) return this.emit("gone", null);
    this.emit("crowded", code === TOO_MANY ? sentence(reason) : "");
    if (code === TOO_MANY) this.#attempts = Math.max(this.#attempts, CROWDED_ATTEMPTS);
    const wait = Math.min(LONGEST_WAIT, 400 * 2 ** this.#attempts++);
    setTimeout(() => this.#connect(), wait * (0.7 + 0.6 * Math.random()));
  }

  /** @param {TableState | Answer} message */
  #receive(message) {
    if (message.type === "answer") return this.#answered(message);
    const shared = (message.you?.seats.length ?? 0) > 1 && message.status !== "waiting";
    if (shared && message.seat !== this.look.seat) return; // sent before the device changed hands
    this.#seen = message.seq;
    this.#seat = message.seat;
    this.emit("state", message);
  }

  /** @param {Answer} answer */
  #answered(answer) {
    const sent = this.#unanswered.get(answer.id);
    this.#unanswered.delete(answer.id);
    if (!answer.ok) answer.message = sentence(answer.message);
    if (sent) sent.resolve(answer);
    else if (!answer.ok) this.emit("refused", answer);
  }
}
