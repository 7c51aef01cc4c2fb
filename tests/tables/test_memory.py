"""What a table holds in memory, counted in bytes of objects: little, and hardly more later on."""

import enum
import gc
import sys
import types

import numpy as np
import pytest
from msgspec import Struct

import droptable
from droptable.core.game import Game, Vocabulary
from droptable.tables import entries
from droptable.tables.commands import Join, Move, Start
from droptable.tables.decide import Who, decide
from droptable.tables.entries import BLOCK, FRESH, Entries, Entry
from droptable.tables.events import Chatted, Moved
from droptable.tables.obeyed import Obeyed
from droptable.tables.viewer import snapshot
from tests.tables.sitting import Sitting

MOST = 150_000  # bytes, at any time of a match; a table with two sockets may have 200,000
EARLY, LATE = 40, 80  # moves
GROWTH = 600  # bytes per move between them: 3,400 before histories were packed
SHARED = (
    type, enum.Enum, Game, Vocabulary, np.dtype, types.ModuleType, types.FunctionType,
)  # fmt: skip
PEOPLE = [Who(f"identity-of-{letter * 22}", name) for letter, name in ("aA", "bB", "cC")]


def weight(root):
    """The bytes of all objects that only this one leads to, as Python counts them."""
    seen, todo, bytes_ = set(), [root], 0
    while todo:
        thing = todo.pop()
        if id(thing) in seen or isinstance(thing, SHARED):
            continue
        seen.add(id(thing))
        bytes_ += sys.getsizeof(thing)
        if isinstance(thing, Struct):  # most are not tracked by the collector
            todo += [getattr(thing, name) for name in thing.__struct_fields__]
        elif isinstance(thing, tuple):
            todo += thing
        elif isinstance(thing, np.ndarray):
            todo.append(thing.base)
        else:
            todo += gc.get_referents(thing)
    return bytes_


def weights(name, moves):
    """A table's weight after so many moves: all seats play, and are shown the table."""
    game = droptable.game(name)
    people = PEOPLE[: max(2, game.players[0])]
    sitting = Sitting(name, ("me", *["open"] * (len(people) - 1)), who=people[0])
    for person in people[1:]:
        sitting.do(person, Join())
    if game.teams:
        sitting.do(people[0], Start())
    weighed, made = {0: weight(sitting.table)}, 0
    while made < max(moves) and sitting.table.status == "playing":
        seat = min(sitting.table.state.to_act)
        who = next(one for one in people if sitting.table.seat_of(one.identity) == seat)
        sitting.now += 0.1234567
        move = Move(sitting.chance.choice(sitting.table.state.legal(seat)))
        around = sitting.around(command=f"{who.identity}:m{made}")
        sitting.table = decide(sitting.table, move, who, around).table
        for viewer in sitting.table.ledgers:
            snapshot(sitting.table, viewer, sitting.now)
        made += 1
        if made in moves:
            weighed[made] = weight(sitting.table)
    assert made
    weighed[made] = weight(sitting.table)
    return weighed


@pytest.mark.parametrize("game", droptable.games(), ids=lambda game: game.name)
def test_a_table_weighs_little_and_hardly_more_later_in_the_match(game):
    """Whatever the game; a long match has little more than a short one."""
    weighed = weights(game.name, (EARLY, LATE))
    assert max(weighed.values()) < MOST
    early, late = weighed.get(EARLY, 0), weighed.get(LATE, 0)
    assert not late or late - early < GROWTH * (LATE - EARLY)


def some_entries(count):
    """Entries of a match with chats in between."""
    images = [bytes([number % 7]) * 40 for number in range(count + 1)]
    return [
        Entry(1.5 * number, Chatted("X", "Ann", f"hello {number}"))
        if number % 5 == 4
        else Entry(
            1.5 * number, Moved(number % 3 - 1, f"t{number}"), number % 2 == 0, number % 4 == 0,
            images[number], images[number + 1],
        )
        for number in range(count)
    ]  # fmt: skip


def plain(sequence):
    """What entries say, without what was worked out about them."""
    return [(e.at, e.event, e.known, e.public, e.before, e.after) for e in sequence]


@pytest.mark.parametrize("count", [0, 1, BLOCK, BLOCK + FRESH, 3 * BLOCK + FRESH + 5])
def test_packed_entries_are_read_like_a_list(count):
    """Whether packed or not: by number, by slice, forwards, backwards and by length."""
    given = some_entries(count)
    kept = Entries(given)
    assert len(kept) == count
    assert plain(kept) == plain(given)
    assert plain(reversed(kept)) == plain(given[::-1])
    assert plain(kept[number] for number in range(-count, count)) == plain(given + given)
    for first in (None, 0, 3, BLOCK - 1, BLOCK, 2 * BLOCK + 3, -4, count):
        for end in (None, 5, BLOCK, BLOCK + 1, -1, count + 9):
            assert plain(kept[first:end]) == plain(given[first:end])
    with pytest.raises(IndexError):
        kept[count]


def test_a_copy_does_not_notice_what_is_added_to_the_other():
    """A draft's entries come and go without a trace in the committed table."""
    given = some_entries(2 * BLOCK + FRESH)
    kept = Entries(given[: BLOCK + FRESH - 1])
    twin = kept.copy()
    twin.extend(given[BLOCK + FRESH - 1 :])
    assert plain(kept) == plain(given[: BLOCK + FRESH - 1])
    assert plain(twin) == plain(given)


def test_viewers_who_noticed_the_same_share_what_is_packed():
    """A table with perfect information holds its history once, not once per viewer."""
    given = some_entries(2 * BLOCK + FRESH)
    one, other = Entries(given), Entries(given)
    assert [*map(id, one._blocks)] == [*map(id, other._blocks)]
    assert 0 < weight(one._blocks) < weight(given) / 4
    assert entries._unpack(one._blocks[0]) is entries._unpack(other._blocks[0])


def test_every_obeyed_command_is_known_and_no_other():
    """Thousands of commands, and parts of two digests beside each other are no third one."""
    obeyed = Obeyed()
    for number in range(2000):
        obeyed.add(f"somebody:{number}")
    twin = obeyed.copy()
    twin.add("somebody:new")
    assert all(f"somebody:{number}" in obeyed for number in range(2000))
    assert not any(f"other:{number}" in obeyed for number in range(2000))
    assert "somebody:new" in twin
    assert "somebody:new" not in obeyed
    between = Obeyed()
    between.add("x")
    shifted = Obeyed(b"abc" + between._digests + b"12345")
    assert "x" not in shifted
    assert (len(obeyed), weight(obeyed) < 10 * 2000) == (2000, True)
