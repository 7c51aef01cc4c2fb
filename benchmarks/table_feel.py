"""How a table feels: clicks and keys for a turn, waiting, bytes on a phone, the coach's first word.

    python -m benchmarks.table_feel                     # all games, this checkout
    python -m benchmarks.table_feel --only drop-site --bytes-against ../other-checkout

A real browser (Debian's chromium) plays by mouse and by keyboard at tables of `normal` bots. Clicks
and keys are counted from the first decision of an own turn to its end. Seconds are from one's last
move of a turn until the next decision can be made: at speed `off` that is the server and the bots
alone, at `normal` it includes the moments that are shown. Bytes are what a phone receives through
its socket during a match, as they pass over the wire, compressed.
"""

import argparse
import json
import os
import random
import shutil
import socket
import statistics
import sys
import tempfile
import threading
import time
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.serving import Server

TABLES = {  # seats, and options of a match that ends soon
    "drop-site": (["me", "normal", "normal"], {"target": 30}),
    "number-drop": (["me", "normal", "normal"], {}),
    "drop": (["me", "normal"], {"size": 5, "pieces": 12}),
    "depot": (["me", "normal", "normal"], {}),
    "drop-or-pop": (["me", "normal", "normal"], {}),
}
FLAGS = ["--no-sandbox", "--disable-gpu"]
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
TURNS = 6  # that are counted
PATIENCE = 60.0
LIVE = ".board .can, .moves button:not(.quiet)"
ARROWS = {(1, 0): "ArrowRight", (-1, 0): "ArrowLeft", (0, 1): "ArrowDown", (0, -1): "ArrowUp"}

# The last state that the table sent, for a player that knows what is legal.
WATCH = """
const Plain = WebSocket;
window.WebSocket = class extends Plain {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      if (message.type !== "state") return;
      window.lastState = message;
      for (const { kind, seat, seq, to } of message.lines)
        if (kind === "move" && seat !== message.seat) window.othersAt = to ?? seq;
    });
  }
};
"""


class Table:
    """One browser page at a table of bots."""

    def __init__(self, browser, address, game, *, speed="off", phone=False):
        self.random = random.Random(5)
        self.presses = 0
        size = PHONE if phone else DESKTOP
        self.context = browser.new_context(viewport=size, has_touch=phone)
        self.context.add_init_script(
            f"if (location.protocol !== 'about:') {{ localStorage.speed = {speed!r};"
            f" localStorage.confirm = 'never'; {WATCH} }}"
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        seats, options = TABLES[game]
        self._ask(f"{address}/api/me", "PUT", {"name": "Anna"})
        wanted = {"game": game, "seats": seats, "options": options}
        self.id = self._ask(f"{address}/api/tables", "POST", wanted)["table"]
        self.page.goto(f"{address}/t/{self.id}")
        self.page.wait_for_selector(".board svg")

    def _ask(self, address, method, body):
        return self.context.request.fetch(address, method=method, data=body).json()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    @property
    def over(self):
        return self.page.get_attribute("body", "data-status") == "over"

    @property
    def mine(self):
        return self.page.locator(LIVE).count() > 0

    def wait_for_turn(self):
        """Seconds until something can be decided; None if the match is over."""
        start = time.perf_counter()
        self.page.wait_for_selector(f"body[data-status=over], {LIVE}", state="attached")
        return None if self.over else time.perf_counter() - start

    def state(self):
        return self.page.evaluate("window.lastState")

    # -- one decision -----------------------------------------------------------------------------

    def decide(self, by):
        """Make one decision: a fill, or the path of a legal move; count clicks or keys."""
        state = self.state()
        fill = (state.get("picture") or {}).get("fill")
        names = self._fill(fill) if fill else self._path(state)
        for name in names:
            (self._click if by == "mouse" else self._press)(name)

    def _fill(self, fill):
        """A number for each slot but the last one, unless that is a star."""
        pieces = list(fill["pieces"].values())
        self.random.shuffle(pieces)
        last = [[]] if len(pieces[-1]) > 1 else []
        return [self.random.choice(values) for values in pieces[:-1]] + [
            self.random.choice(pieces[-1]) for _ in last
        ]

    def _path(self, state):
        move = self.random.choice(state["legal"])
        names = [n for step in move["path"] for n in ([step] if isinstance(step, str) else step)]
        taken = [name for swaps in state["picture"]["switches"].values() for name in swaps]
        return [name for name in names if name not in taken] or names

    def _click(self, name):
        """Click a thing, a die that shows a value, or a button."""
        self.presses += 1
        if name.isdigit():
            die = self.page.locator(f'.board .can[data-key~="{name}"]')
            if die.count():
                return self._at(die.first)
            wild = self.page.locator('.board .can[data-touch*="die"]').last
            self._at(wild)
            self.presses += 1
            return self._at(self.page.locator(".moves button", has_text=name).first)
        if name.startswith("do-"):
            return self._at(self.page.locator(".moves button").first)
        return self._at(self.page.locator(f'.board [data-touch="{name}"]').first)

    def _at(self, thing):
        box = thing.bounding_box() if thing.count() else None
        if box:
            self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def _press(self, name):
        """Type a value, or go to a thing with the arrows and press Enter."""
        if name.isdigit():
            self.presses += 1
            self.page.keyboard.press(name)
            return
        if name.startswith("do-"):
            self.presses += 2
            self.page.locator(".moves button").first.focus()
            self.page.keyboard.press("Enter")
            return
        for _ in range(16):
            step = self.page.evaluate(
                """name => {
                    const focused = document.activeElement;
                    const wanted = document.querySelector(`.board [data-touch="${name}"]`);
                    if (!wanted || focused?.dataset?.touch === name) return null;
                    const [a, b] = [focused, wanted].map(e => e.getBoundingClientRect());
                    if (!focused.closest("svg")) return [1, 0];
                    const dx = b.x + b.width / 2 - a.x - a.width / 2;
                    const dy = b.y + b.height / 2 - a.y - a.height / 2;
                    return Math.abs(dx) >= Math.abs(dy) ? [Math.sign(dx), 0] : [0, Math.sign(dy)];
                }""",
                name,
            )
            if step is None:
                break
            self.presses += 1
            self.page.keyboard.press(ARROWS[tuple(step)])
        self.presses += 1
        self.page.keyboard.press("Enter")

    # -- turns ------------------------------------------------------------------------------------

    def turns(self, by, most=TURNS):
        """Presses of each own turn, and the seconds of waiting after it."""
        presses, waits = [], []
        self.wait_for_turn()
        while len(presses) < most and not self.over:
            before, others = self.presses, self._others_at()
            for _ in range(12):  # decisions, until somebody else (or the dealer) has acted
                seq = self.state()["seq"]
                self.decide(by)
                decided = time.perf_counter()
                self._until_answered(seq)
                if self.over or self._others_at() != others or not self.state()["legal"]:
                    break
            presses.append(self.presses - before)
            self.wait_for_turn()
            waited = None if self.over else time.perf_counter() - decided
            if waited is not None:
                waits.append(waited)
        return presses, waits

    def _others_at(self):
        """The `seq` of the last event that was not one's own."""
        return self.page.evaluate("window.othersAt")

    def _until_answered(self, seq):
        """Until the table has said something new about the own move."""
        end = time.perf_counter() + 3
        while time.perf_counter() < end and self.state()["seq"] <= seq:
            self.page.wait_for_timeout(4)

    def play_to_the_end(self):
        """Touch something that glows, until the match is over."""
        for _ in range(3000):
            if self.wait_for_turn() is None:
                return
            things = self.page.locator(LIVE)
            count = things.count()
            if count:
                with suppress(Exception):
                    self._at(things.nth(self.random.randrange(count)))


# -- bytes ----------------------------------------------------------------------------------------


@contextmanager
def counting(port):
    """A proxy to a server that counts what its sockets (not its pages) send to clients."""
    listening = socket.create_server(("127.0.0.1", 0))
    counted = {"bytes": 0}

    def pump(source, target, count):
        upgraded = False
        with suppress(OSError):
            while data := source.recv(65536):
                upgraded = upgraded or (count and b" 101 " in data[:32])
                counted["bytes"] += len(data) if upgraded else 0
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def accept():
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                server = socket.create_connection(("127.0.0.1", port))
                for ends in ((client, server, False), (server, client, True)):
                    threading.Thread(target=pump, args=ends, daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", counted
    finally:
        listening.close()


def match_bytes(browser, server, game):
    """What a phone receives in a match, and per event of it."""
    with (
        counting(server.port) as (address, counted),
        Table(browser, address, game, phone=True) as table,
    ):
        table.play_to_the_end()
        record = urllib.request.urlopen(f"{server.address}/api/tables/{table.id}/record")
        return counted["bytes"], len(json.load(record)["events"])


# -- the coach ------------------------------------------------------------------------------------


def coach(browser, server, game):
    """Seconds until the coach's first verdict on a match, and until it is done."""
    with Table(browser, server.address, game) as table:
        table.play_to_the_end()
        where = f"{server.address}/api/replays/table:{table.id}/coach"
        start = time.perf_counter()
        table.context.request.fetch(where, method="POST")
        first = None
        while True:
            said = table.context.request.fetch(where).json()
            if first is None and said.get("decisions"):
                first = time.perf_counter() - start
            if said["status"] in ("done", "failed"):
                return first, time.perf_counter() - start
            table.page.wait_for_timeout(50)


# -- all ------------------------------------------------------------------------------------------


@contextmanager
def serving(checkout=None):
    """A server of this or another checkout, with a database of its own."""
    with tempfile.TemporaryDirectory() as folder:
        if checkout is not None:
            os.environ["PYTHONPATH"] = str(checkout / "src")
        server = Server(f"{folder}/tables.db").wait()
        os.environ.pop("PYTHONPATH", None) if checkout is not None else None
        try:
            yield server
        finally:
            server.stop()


def measure(browser, server, game, parts):
    """The figures of one game."""
    figures = {"game": game}
    if "turns" in parts:
        for by in ("mouse", "keyboard"):
            with Table(browser, server.address, game) as table:
                presses, waits = table.turns(by)
            figures["clicks" if by == "mouse" else "keys"] = presses
            if by == "mouse":
                figures["wait_off"] = statistics.median(waits) if waits else None
        with Table(browser, server.address, game, speed="normal") as table:
            waits = table.turns("mouse", 3)[1]
            figures["wait_normal"] = statistics.median(waits) if waits else None
    if "bytes" in parts:
        figures["bytes"], figures["events"] = match_bytes(browser, server, game)
    if "coach" in parts:
        figures["first_verdict"], figures["coach_done"] = coach(browser, server, game)
    return figures


def show(figures):
    """One line per game."""
    words = [f"{figures['game']:<12}"]
    for name in ("clicks", "keys"):
        if figures.get(name):
            words.append(f"{name} {statistics.median(figures[name]):g} (most {max(figures[name])})")
    for name, label in (("wait_off", "wait"), ("wait_normal", "with moments"),
                        ("first_verdict", "first verdict"), ("coach_done", "all")):  # fmt: skip
        if figures.get(name) is not None:
            words.append(f"{label} {figures[name]:.2f} s")
    if "bytes" in figures:
        each = figures["bytes"] / max(figures["events"], 1)
        words.append(f"{figures['bytes'] / 1024:.0f} kB, {each:.0f} bytes per event")
    print(" | ".join(words), flush=True)


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=sorted(TABLES), help="one game")
    parser.add_argument("--parts", default="turns,bytes,coach", help="what is measured")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--bytes-against", type=Path, metavar="CHECKOUT",
                        help="bytes of another checkout's server, too")  # fmt: skip
    given = parser.parse_args()
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        sys.exit("there is no chromium: install it (apt install chromium) or set $CHROMIUM")
    games = [given.only] if given.only else list(TABLES)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        with serving() as server:
            for game in games:
                figures = measure(browser, server, game, given.parts.split(","))
                print(json.dumps(figures)) if given.json else show(figures)
        if given.bytes_against:
            print(f"{given.bytes_against}:")
            with serving(given.bytes_against.resolve()) as server:
                for game in games:
                    show(measure(browser, server, game, ["bytes"]))
        browser.close()


if __name__ == "__main__":
    main()
