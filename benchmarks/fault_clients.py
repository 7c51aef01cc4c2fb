"""People and spectators of a fault run, who write down what they sent, heard and were shown.

They use the public protocol only. Whatever happens to the servers, they reconnect, repeat what was
not answered, and play on; `fault_checker.py` says what their histories have to be like.
"""

import asyncio
import hashlib
import json
import time
from collections import Counter
from contextlib import suppress

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

BROKEN = (WebSocketException, OSError, EOFError, TimeoutError, httpx.HTTPError, ValueError)
PATIENCE = 4.5  # seconds without an answer before a client looks elsewhere
TALKATIVE = 0.25  # how often somebody chats instead of moving
CHATTY = 0.1  # how often somebody whose turn it is not chats when something happens
# Parts of a state that are the same for all viewers of a game without secrets.
SHARED = ("status", "scores", "to_act", "undo", "muted", "previous", "next", "result")
CLOCK = {"per": "turn", "seconds": 300, "at_zero": "bot"}  # shorter than clocks are skewed
GAMES = (  # without secrets; the second needs its owner to start, a bot plays in the third
    {"game": "drop", "seats": ["me", "open"], "options": {"size": 5}, "clock": CLOCK},
    {"game": "drop-or-pop", "seats": ["me", "open", "open"], "clock": CLOCK},
    {"game": "drop", "seats": ["me", "greedy"], "options": {"size": 5}, "clock": CLOCK},
)


class Notes:
    """The histories of all clients, one file each, and counts."""

    def __init__(self, folder):
        self._folder = folder
        self._files = {}
        self.counts = Counter()
        self.oddities = Counter()  # answers that no client expects
        self.is_over = False  # whether the breaking is over, and tables may finish

    def write(self, client, table, what, **fields):
        """Add an entry to a client's history."""
        if client not in self._files:
            self._files[client] = (self._folder / f"{client}.jsonl").open("w", encoding="utf-8")
        entry = {"client": client, "at": time.monotonic(), "what": what, "table": table} | fields
        self._files[client].write(json.dumps(entry) + "\n")
        self.counts[what] += 1

    def close(self):
        """Write everything out."""
        for file in self._files.values():
            file.close()


class Client:
    """Plays or watches at one table after another, whatever happens to the servers."""

    def __init__(self, addresses, notes, name, chance):
        self._addresses = addresses
        self._notes = notes
        self._name = name
        self._chance = chance
        self._server = chance.randrange(len(addresses))
        self._cookie = ""
        self._sent = 0

    @property
    def _address(self):
        return self._addresses[self._server]

    @property
    def _headers(self):
        return {"Cookie": f"droptable={self._cookie}"} if self._cookie else {}

    async def _look_elsewhere(self):
        self._server = (self._server + 1) % len(self._addresses)
        await asyncio.sleep(self._chance.uniform(0.05, 0.3))

    async def ask(self, method, path, body, **headers):
        """A request, repeated until some server answers it."""
        while True:
            with suppress(*BROKEN):
                async with httpx.AsyncClient(verify=False) as http:
                    answer = await http.request(
                        method, f"http://{self._address}{path}", json=body, timeout=PATIENCE,
                        headers=self._headers | headers,
                    )  # fmt: skip
                self._cookie = answer.cookies.get("droptable") or self._cookie
                if answer.status_code < 300:
                    return answer.json()
                if answer.status_code == 500:
                    self._notes.oddities[f"{method} {path[:11]}: 500"] += 1
                elif answer.status_code != 503:
                    raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
            await self._look_elsewhere()

    async def introduce(self):
        """Get an identity."""
        await self.ask("PUT", "/api/me", {"name": self._name})

    async def new_table(self, settings):
        """Create a table, once."""
        key = {"Idempotency-Key": self._new_id()}
        return (await self.ask("POST", "/api/tables", settings, **key))["table"]

    async def command(self, table, type_):
        """A command by HTTP, which may be sent more than once."""
        id_ = self._new_id()
        self._note(table, "sent", id=id_, kind=type_)
        envelope = {"id": id_, "command": {"type": type_}}
        await self.ask("POST", f"/api/tables/{table}/commands", envelope)
        self._note(table, "acknowledged", id=id_)

    def _new_id(self):
        self._sent += 1
        return f"{self._name}.{self._sent}"

    def _note(self, table, what, **fields):
        self._notes.write(self._name, table, what, **fields)

    async def follow(self, table):
        """Stay at a table until its match is over: play, or watch if there is no seat."""
        stay = Stay()
        while not stay.is_over:
            place = f"?seq={stay.seq}" + ("" if stay.seat is None else f"&seat={stay.seat}")
            with suppress(*BROKEN):
                async with connect(
                    f"ws://{self._address}/api/tables/{table}/socket{place}", compression=None,
                    additional_headers=self._headers, max_size=None,
                    open_timeout=PATIENCE, close_timeout=0.1, ping_interval=None,
                ) as socket:  # fmt: skip
                    self._notes.counts["connections"] += 1
                    await self._talk(table, socket, stay)
            if not stay.is_over:
                await self._look_elsewhere()

    async def _talk(self, table, socket, stay):
        if stay.pending:  # was it carried out? the same id again tells
            await self._send(table, socket, stay.pending)
        while not stay.is_over:
            message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
            if message["type"] == "answer":
                self._hear(table, message, stay)
            else:
                self._see(table, message, stay)
            if stay.is_free and (command := self._choose(stay)):
                stay.pending = {"id": self._new_id(), "seq": stay.seq, "command": command}
                if command["type"] == "chat":
                    command["text"] = f"I am {stay.pending['id']}"
                await self._send(table, socket, stay.pending)

    async def _send(self, table, socket, envelope):
        self._note(table, "sent", id=envelope["id"], kind=envelope["command"]["type"])
        await socket.send(json.dumps(envelope))

    def _choose(self, stay):
        if self._chance.random() < (TALKATIVE if stay.legal else CHATTY):
            return {"type": "chat"}
        if stay.legal:
            return {"type": "move", "token": self._chance.choice(stay.legal)["token"]}
        return None

    def _hear(self, table, answer, stay):
        pending = stay.pending
        if pending is None or answer["id"] != pending["id"]:
            return  # the answer to a command that was sent twice
        if answer["ok"]:
            stay.pending = None
            stay.due = max(stay.due, answer["seq"])
            self._note(table, "acknowledged", id=pending["id"])
        elif answer["kind"] == "outage":
            raise TimeoutError  # in doubt: sent again after reconnecting
        else:
            stay.pending = None
            stay.legal = []
            self._note(table, "refused", id=pending["id"])
            # A move may be stale where a bot moved, a chat too late where the match is over.
            if answer["kind"] != "stale":
                self._notes.oddities[f"{answer['kind']}: {answer['message']}"] += 1
            raise TimeoutError  # look again, by reconnecting

    def _see(self, table, state, stay):
        view = {name: part for name, part in (state["view"] or {}).items() if name != "viewer"}
        shared = json.dumps([view, [state[name] for name in SHARED]])
        self._note(
            table, "shown", seat=state["seat"], seq=state["seq"], status=state["status"],
            lines=state["lines"],
            board=hashlib.blake2b(shared.encode(), digest_size=8).hexdigest(),
        )  # fmt: skip
        stay.seq, stay.seat, stay.legal = state["seq"], state["seat"], state["legal"]
        stay.is_over = state["status"] == "over"
        stay.may_talk = bool(state["you"]) and state["seat"] is not None


class Stay:
    """What a client knows of the table where it is."""

    def __init__(self):
        self.seq = 0
        self.seat = None
        self.legal = []
        self.pending = None  # the command that was not answered yet
        self.due = 0  # the number of the state that an answer has promised
        self.may_talk = False
        self.is_over = False

    @property
    def is_free(self):
        """Whether to act on what is shown: it is up to date, and nothing waits for an answer."""
        return self.pending is None and self.seq >= self.due and self.may_talk and not self.is_over


async def keep_playing(addresses, notes, number, chance):
    """A group of people and a spectator: match after match, until the breaking is over."""
    settings = GAMES[number % len(GAMES)]
    seats = settings["seats"]
    people = [
        Client(addresses, notes, f"P{number}-{seat}", chance)
        for seat, who in enumerate(seats)
        if who in ("me", "open")
    ]
    spectator = Client(addresses, notes, f"S{number}", chance)
    for person in people:
        await person.introduce()
    while not notes.is_over:
        table = await people[0].new_table(settings)
        notes.counts["tables"] += 1
        for person in people[1:]:
            await person.command(table, "join")
        if settings["game"] == "drop-or-pop":  # teams wait for their owner
            await people[0].command(table, "start")
        await asyncio.gather(*(client.follow(table) for client in (*people, spectator)))
