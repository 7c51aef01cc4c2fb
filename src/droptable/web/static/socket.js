// One table's socket: it comes back by itself, and every command gets its answer once.
import { language } from "./i18n.js";

const SLOWEST = 8000; // milliseconds between tries

export class TableSocket extends EventTarget {
  #socket = null;
  #waiting = new Map(); // commands that have no answer yet, by id
  #seen = 0;
  #seat = null;
  #tries = 0;
  #closed = false;

  constructor(table, look) {
    super();
    Object.assign(this, { table, look });
    addEventListener("online", () => this.#connect());
    addEventListener("pagehide", () => this.#socket?.close());
    addEventListener("pageshow", (event) => event.persisted && this.#connect());
    document.addEventListener("visibilitychange", () => !document.hidden && this.#connect());
    this.#connect();
  }

  get connected() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Send a command; resolves to its answer, however often the connection breaks meanwhile. */
  send(command, seq = this.#seen) {
    const id = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    return new Promise((resolve) => {
      this.#waiting.set(id, { message: JSON.stringify({ id, seq, command }), resolve });
      if (this.connected) this.#socket.send(this.#waiting.get(id).message);
    });
  }

  /** Be shown the table in another way. */
  show(look) {
    this.look = { ...this.look, ...look };
    if (this.connected) this.#socket.send(JSON.stringify({ look: { ...this.look, language } }));
  }

  close() {
    this.#closed = true;
    this.#socket?.close();
  }

  #connect() {
    if (this.#closed || (this.#socket && this.#socket.readyState <= WebSocket.OPEN)) return;
    const query = new URLSearchParams({ seq: this.#seen, language, scene: this.look.scene });
    if (this.#seat !== null) query.set("seat", this.#seat);
    if (this.look.focus !== null && this.look.focus !== undefined)
      query.set("focus", this.look.focus);
    const address = new URL(`api/tables/${this.table}/socket?${query}`, document.baseURI);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = (this.#socket = new WebSocket(address));
    const asked = this.look;
    socket.onopen = () => {
      this.#tries = 0;
      this.#tell("connection", true);
      if (this.look !== asked) this.show({}); // the screen was turned meanwhile
      for (const { message } of this.#waiting.values()) socket.send(message); // sent twice, obeyed once
    };
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(data));
    socket.onclose = ({ code }) => {
      if (this.#closed || socket !== this.#socket) return;
      this.#tell("connection", false);
      if (code === 4404) return this.#tell("gone", null);
      const wait = Math.min(SLOWEST, 400 * 2 ** this.#tries++) * (0.7 + 0.6 * Math.random());
      setTimeout(() => this.#connect(), wait);
    };
  }

  #hear(message) {
    if (message.type === "answer") {
      const asked = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (asked) asked.resolve(message);
      else if (!message.ok) this.#tell("refused", message);
      return;
    }
    this.#seen = message.seq;
    this.#seat = message.seat;
    this.#tell("state", message);
  }

  #tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}
