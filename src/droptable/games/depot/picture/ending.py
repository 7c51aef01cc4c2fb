"""The end of a game as a picture of its own: the ranks, and the cards that are taken (DP11, DP12).

The next game is dealt at once, so the state after the last move says little about the game that has
ended. What a viewer may know of it follows from its view before that move, and from the move.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from droptable.core.components import CARD, at, box, motion, seat_sign, shortened, text
from droptable.core.language import _, counted
from droptable.core.scene import Frame, Picture, Step
from droptable.core.svg import Svg, join
from droptable.games.depot import rules
from droptable.games.depot.picture.layout import Layout
from droptable.games.depot.picture.parcels import parcel_card
from droptable.games.depot.picture.pieces import places, shelf, small_hand, stored
from droptable.games.depot.rules.piles import NOTHING
from droptable.games.depot.words.log import winner_of_game, winner_of_match


@dataclass(frozen=True)
class Count:
    """A game that has ended, as one viewer knows it."""

    game: Any  # the record before cards were taken
    took: tuple[int, ...]  # the card that each seat takes, or 0
    lost: tuple[int, ...]  # lost points of each seat, with those cards

    @classmethod
    def after(cls, view: Any) -> Count:
        """The last game of a match that is over."""
        players = int(view["players"])
        count = cls(view.copy(), _seats(view["took"], players), _seats(view["lost"], players))
        for number in count.took:
            if number:
                count.game["storage"][number - 1] += 1
        return count

    @classmethod
    def of(cls, step: Step) -> Count:
        """The game that this step has ended."""
        players = int(step.after["players"])
        took, lost = (_seats(step.after[field], players) for field in ("took", "lost"))
        return cls(played_on(step), took, lost)

    @property
    def ranked(self) -> list[int]:
        """The seats from the first rank to the last, as far as it can be told from what is open.

        Hands of equal size are told apart by the cards taken, which are higher for a worse rank.
        """
        last, players = int(self.game["last"]), int(self.game["players"])
        return sorted(
            range(players),
            key=lambda seat: (*self.standing(seat), (seat - last - 1) % players),
        )

    def standing(self, seat: int) -> tuple[int, int]:
        """What tells seats apart; who has the same may be of a better rank or a worse one."""
        return int(self.game["hand_size"][seat]), self.took[seat]

    @property
    def takers(self) -> list[int]:
        """The seats that take a card, in that order: from the last rank up."""
        return [seat for seat in reversed(self.ranked) if self.took[seat]]


def ends_game(step: Step) -> bool:
    """Whether a step has ended a game."""
    return bool(
        step.after["game"] > step.before["game"]
        or (step.after["phase"] == rules.OVER and step.before["phase"] != rules.OVER)
    )


def played_on(step: Step) -> Any:
    """The game after its last move, before anything was counted or dealt.

    The rules make that move on the viewer's own view, as if a game did not end.
    """
    game = step.before.copy()
    actor = max(step.actor, 0)
    game["hand_size"][actor] += 1
    game["turn_limit"] = 1_000_000
    rules.apply(game, step.actor, step.action)
    game["hand_size"][actor] -= 1
    game["turn_limit"] = step.before["turn_limit"]
    for pile in ("hands", "deck"):  # what the viewer does not see stays unseen
        game[pile] = game[pile].clip(0)
    game["taken"] = NOTHING
    game["phase"] = rules.OVER
    game["won"] = 0
    return game


def count_picture(count: Count, shown: int, viewer: int, frame: Frame) -> Picture:
    """The ranks of a game when so many of its cards have been taken."""
    layout = Layout.of(count.game, viewer, frame, rows=True)
    game = count.game.copy()
    taken = count.takers[:shown]
    for seat in taken:
        game["storage"][count.took[seat] - 1] -= 1
    over = count.game["game"] + 1 == count.game["games"] and shown == len(count.takers)
    won = [seat for seat, lost in enumerate(count.lost) if lost == min(count.lost)] if over else []
    body = join(
        _headline(count, layout, frame, won),
        shelf(game, layout, _("Cards taken now are lost points")),
        *places(game, layout),
        *stored(game, layout),
        *(
            _row(count, layout, frame, place, seat in won, seat in taken)
            for place, seat in enumerate(count.ranked)
        ),
        *_taken(count, layout, taken),
    )
    title = _("Depot, the end of game {game}").format(game=int(count.game["game"]) + 1)
    return Picture(360 if frame.tall else 1000, layout.height, body, title)


def _headline(count: Count, layout: Layout, frame: Frame, won: list[int]) -> Svg:
    """Who has won the game, or the match, and by which play."""
    _x, y, _width, height = layout.table
    left = layout.margin
    right = layout.width - layout.margin if layout.tall else layout.split
    width = right - left
    size = layout.text * 1.15
    words = winner_of_game(count.game, frame.names)
    words = winner_of_match(won, frame.names) if won else words
    parts = [text(shortened(words, width, size), 0, -height / 2 + size * 1.1, size=size,
                  kind="bold")]  # fmt: skip
    if count.game["table"] != rules.NO_PLAY:
        play = rules.PLAYS[int(count.game["table"])]
        card = min(height - size * 2.4, 110)
        step = min(card * CARD + layout.margin, (width - card * CARD - 20) / max(len(play) - 1, 1))
        low = height / 2 - card / 2 - layout.margin
        first = -step * (len(play) - 1) / 2
        parts += [
            at(first + step * i, low, parcel_card(number, card, layout.small))
            for i, number in enumerate(play)
        ]
    return at((left + right) / 2, y, box(width, height, "board"), *parts, key="table")


def _row(count: Count, layout: Layout, frame: Frame, place: int, won: bool, took: bool) -> Svg:
    """A rank: its seat, the cards left in its hand, and its lost points."""
    seat = count.ranked[place]
    x, y, width, height = layout.row(place)
    size, small = layout.text, layout.small
    standing = [count.standing(other) for other in count.ranked]
    rank = standing.index(standing[place]) + 1
    left = -width / 2
    line = 0.0 if not layout.tall else -height / 2 + size
    lost = count.lost[seat] - (0 if took else count.took[seat])
    cards = counted("{count} card", "{count} cards", int(count.game["hand_size"][seat]))
    tiny = 26.0 if layout.tall else min(height - 12, 52)
    mine = seat == layout.viewer
    hand_at = (left + size * 0.5, height / 2 - tiny / 2 - 4) if layout.tall else (left + 250, 0.0)
    right, name_room = _columns(layout, width)
    hand_room = right - hand_at[0] - size if layout.tall else 270
    kind = f"plate wash-{seat}" if place == 0 else "plate"
    name = frame.names[seat]
    own = _("{name} (you)").format(name=name)
    name = own if mine and own == shortened(own, name_room, size) else name
    return at(
        x,
        y,
        box(width, height, f"{kind} mine" if mine else kind),
        box(width, height, "dp-frame won") if won else None,
        text(f"{rank}.", left + size * 0.95, line, size=size, kind="bold"),
        at(left + size * 2.3, line, seat_sign(seat, size * 0.5, frame.face(seat))),
        text(shortened(name, name_room, size), left + size * 3.1, line, size=size, kind="left"),
        at(*hand_at, small_hand(count.game, layout, seat, hand_room, tiny)),
        text(cards, right - size * 0.3, line, size=small, kind="right soft"),
        text(_("lost"), width / 2 - size * 0.5, 0, size=small, kind="right soft"),
        at(width / 2 - size * 0.7 - small * 2.9, 0, text(lost, size=size * 1.3, kind="bold"),
           key=f"lost-{seat}", motion=motion(face=lost, turn="count")),
        key=f"rank-{seat}",
    )  # fmt: skip


def _columns(layout: Layout, width: float) -> tuple[float, float]:
    """Where the cards left end, and how wide a name may be."""
    if layout.tall:
        right = width / 2 - 112
        return right, right + width / 2 - layout.text * 3.1 - layout.small * 5
    return width / 2 - 330 + 130, 170


def _taken(count: Count, layout: Layout, taken: list[int]) -> Iterable[Svg]:
    """The cards that were taken: each has come from the shelf, where it had the same id."""
    for i, seat in enumerate(taken):
        number = count.took[seat]
        before = sum(count.took[other] == number for other in taken[:i])
        nth = int(count.game["storage"][number - 1]) - 1 - before
        x, y, width, height = layout.row(count.ranked.index(seat))
        card = min(height - 6, 66 if layout.tall else 90)
        across = width / 2 - (88 if layout.tall else 160)
        face = parcel_card(number, card, layout.small)
        yield at(x + across, y, face, key=f"stored-{number}-{nth}", kind="still",
                 motion=motion(way="hop"))  # fmt: skip


def _seats(values: Any, players: int) -> tuple[int, ...]:
    return tuple(int(value) for value in values[:players])
