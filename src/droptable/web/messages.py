"""Messages to clients: a table as one viewer may know it, and refusals."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from droptable.core.language import speaking
from droptable.tables.decide import Who
from droptable.tables.host import Host
from droptable.tables.lobby import open_seats
from droptable.tables.rejected import Rejected
from droptable.tables.summary import turns_of
from droptable.tables.table import Table
from droptable.tables.viewer import PAGE, page_before, since, snapshot
from droptable.web.beats import beats, table_frame
from droptable.web.pictures import Look, moves, picture, shortcuts

STATUS = {
    "syntax": 422, "illegal": 409, "stale": 409, "forbidden": 403, "gone": 404, "limit": 429,
    "outage": 503,
}  # fmt: skip


TOO_MANY = 4429  # the code with which a socket is closed that is beyond a limit
MOST_REASON = 120  # bytes that the reason of a close may have


def close_reason(message: str) -> str:
    """As much of a message as a close has room for."""
    return message.encode()[:MOST_REASON].decode(errors="ignore")


class Problem(Struct, frozen=True):
    """A refusal: its kind for programs, a message for people, and the game's rule if any."""

    kind: str
    message: str
    rule: str | None = None

    @classmethod
    def of(cls, refused: Rejected) -> Problem:
        """The same refusal as data."""
        return cls(refused.kind, str(refused), refused.rule)


def state_message(
    host: Host, table: Table, who: Who | None, look: Look, seen: int = 0
) -> dict[str, Any]:
    """A table as somebody may know it now, with the log and chat after `seen`.

    `seen` is a `seq` of the seat that they have now. Who has seen nothing, or was away for long,
    begins anew with the last page.
    """
    viewer = None if who is None else table.shown_seat(who.identity, look.seat)
    ledger = table.ledgers[viewer]
    shown = seen if ledger.seq - seen <= PAGE else 0
    with speaking(look.language):
        view = ledger.view
        lines, earlier = (since(table, viewer, shown), 0) if shown else page_before(table, viewer)
        message = snapshot(table, viewer, host.now, host.present(table.id))
        message |= {
            "type": "state",
            "legal": [],
            "you": who and _you(table, who),
            "curtain": table.game is not None and table.game.hides,
            "open": open_seats(table, who),
            "from": shown,
            "earlier": earlier,
            "lines": lines,
        }
        if view is not None:
            frame = table_frame(table, viewer, view, look)
            if table.status == "playing":
                message["legal"] = moves(view, frame)
            if frame is not None:
                message["picture"] = picture(view, frame)
                if table.status == "playing":
                    message["picture"] |= shortcuts(view, frame)
                if look.beats:
                    message["beats"] = beats(table, viewer, frame, seen)
    return message


def _you(table: Table, who: Who) -> dict[str, Any]:
    """Who looks, and which seats they hold (several, where people share one device)."""
    return {
        "name": who.name, "owner": who.identity == table.owner,
        "seats": table.seats_of(who.identity), "to_act": turns_of(table, who.identity),
    }  # fmt: skip
