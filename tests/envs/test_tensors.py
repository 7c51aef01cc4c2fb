"""Tensors hold what a seat may know, all of it and nothing else, as docs/observations.md says.

`python -m tests.envs.test_tensors` writes the page's tables anew.
"""

import importlib.util
import random
import sys
from pathlib import Path

import numpy as np
import pytest

import droptable
from droptable.core import loops, tensor
from droptable.core.compile import PLAIN, Kernels
from droptable.core.contract import DEALER, DEALER_ACTS, MOST_SEATS
from droptable.core.game import Game
from droptable.core.tensor import encode, encode_at, seats_of, size_of
from droptable.testing import random_match, variants

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "observations.md"
LONG = 1500  # events


def connect_four() -> Game:
    """The example of a game without an encoder of its own."""
    file = ROOT / "examples" / "connect_four.py"
    spec = importlib.util.spec_from_file_location("connect_four", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault("connect_four", module)
    if sys.modules["connect_four"] is module:
        spec.loader.exec_module(module)
    return sys.modules["connect_four"].GAME


GAMES = [*droptable.games(), connect_four()]
all_games = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


def states(game, players, seed, every=1, **options):
    """The states of a random match, one in `every`; a long match is left before its end."""
    start = game.start(players, **options)
    for step, state in enumerate(random_match(start, random.Random(seed))):
        last = state.over or step == LONG
        if last or step % every == 0:
            yield state
        if last:
            return


def planes_of(view):
    """The tensor's planes by name, each in its shape."""
    numbers, planes, at = view.tensor(), {}, 0
    for plane in view.game.planes(view.players, **view.options):
        planes[plane.name] = numbers[at : at + plane.size].reshape(plane.shape)
        at += plane.size
    assert at == len(numbers)
    return planes


@all_games
def test_a_tensor_has_the_planes_that_are_named(game):
    """At every player count and option: one float32 row, of constant size, from -1 to 1."""
    for players in game.players:
        for options in variants(game):
            planes = game.planes(players, **options)
            names = [plane.name for plane in planes]
            assert len(set(names)) == len(names)
            assert all(plane.size > 0 and plane.meaning for plane in planes)
            for state in states(game, players, 1, 41, **options):
                for seat in (None, *range(players)):
                    numbers = state.view(seat).tensor()
                    assert numbers.shape == (size_of(planes),) and numbers.dtype == np.float32
                    assert np.abs(numbers).max() <= 1, state


@all_games
def test_an_encoder_fills_exactly_its_planes(game):
    """What `encode` says it wrote is as long as the planes are."""
    if game.encoder is None:
        pytest.skip("the game has no encoder of its own")
    plain = game.plain.kernels.twin(encode)
    for players in game.players:
        for options in variants(game):
            out = np.zeros(size_of(game.planes(players, **options)), np.float32)
            view = game.start(players, **options).view(0)
            assert plain(view.fields, 0, out) == len(out)


@all_games
def test_compiled_and_plain_tensors_are_equal(game):
    """Machine code writes the same numbers as the same encoder interpreted."""
    plain = game.plain.kernels.twin(encode_at)
    for state in states(game, game.players[-1], 2, 29):
        for seat in (None, *range(state.players)):
            view = state.view(seat)
            expected = np.full_like(view.tensor(), 7)
            raw = view.array.view(np.uint8).reshape(1, -1)
            places = game.bit_places(state.players)
            plain(view.array, 0, raw, places, -1 if seat is None else seat, expected)
            assert view.tensor().tobytes() == expected.tobytes()


@all_games
def test_what_is_hidden_changes_no_number(game):
    """Every world that a seat considers possible has the same tensor."""
    for players in game.players:
        for state in states(game, players, 3, 23):
            for seat in (None, *range(players)):
                view = state.view(seat)
                world = view.determinize(seed=players)
                assert world.view(seat).tensor().tobytes() == view.tensor().tobytes()


@all_games
def test_every_known_field_is_in_the_tensor(game):
    """Whichever number of a view's record takes another of its values, the tensor changes."""
    for players in {game.players[0], game.players[-1]}:
        for options in ({}, *list(variants(game))[-1:]):
            seat = players - 1
            views = [s.view(seat).array.copy() for s in states(game, players, 4, 3, **options)]
            for view in views[:: len(views) // 3]:
                unchanged = encoded(game, players, options, view, seat)
                for name, place, value in other_values(game, view, views):
                    changed = view.copy()
                    changed[name].reshape(-1)[place] = value
                    change = f"{name}[{place}] {value} instead of {view[name].reshape(-1)[place]}"
                    assert encoded(game, players, options, changed, seat) != unchanged, change


def encoded(game, players, options, view, seat):
    """The tensor of a view's record, as bytes."""
    out = np.empty(size_of(game.planes(players, **options)), np.float32)
    raw = view.view(np.uint8).reshape(1, -1)
    encode_now = game.engine.kernels.twin(encode_at)
    encode_now(view, 0, raw, game.bit_places(players), seat, out)
    return out.tobytes()


def other_values(game, view, views):
    """Each number of a record that takes other values in this match: its place and two of them.

    What is remembered of the past is not in a tensor, which shows the present.
    """
    past = game.encoder.past if game.encoder else ()
    for name in [name for name in game.rules.dtype.names if name not in past]:
        ever = np.array([each[name].reshape(-1) for each in views])
        for place, now in enumerate(view[name].reshape(-1)):
            values = [value for value in np.unique(ever[:, place]) if value != now]
            for value in {*values[:1], *values[-1:]}:
                yield name, place, value


@all_games
def test_different_events_give_different_tensors(game):
    """After each of the possible events, whoever's view differs has a tensor that differs."""
    told_apart = 0
    for state in states(game, game.players[-1], 6, 13):
        after = []
        for actor in state.to_act:
            tokens = [t for t, _ in state.chance()] if actor == DEALER else state.legal(actor)
            for token in tokens[:6]:
                after.append(state.copy())
                after[-1].apply(actor, token)
        for seat in range(state.players):
            views = [each.view(seat) for each in after]
            seen = {bytes(view) for view in views}
            assert len({view.tensor().tobytes() for view in views}) == len(seen)
            told_apart += len(seen) > 1
    assert told_apart


@all_games
def test_code_that_encodes_nothing_is_not_compiled_anew(game):
    """An encoder is part of the machine code that reaches `encode`, not of that of the rules."""
    if game.encoder is None:
        pytest.skip("the game has no encoder of its own")
    without = Kernels(game.name, game.rules.kernels(), PLAIN)
    with_it = Kernels(game.name, game.slots, PLAIN)
    assert without.digest(*loops.MATCH) == with_it.digest(*loops.MATCH)
    assert without.digest(tensor.encode_at) != with_it.digest(tensor.encode_at)


@all_games
def test_own_seat_comes_first(game):
    """Whoever is to act finds itself at index 0 of whose turn it is."""
    compared = 0
    for state in states(game, game.players[-1], 5, 5):
        if state.to_act == (DEALER,) or state.over:
            continue
        for seat in state.to_act:
            planes = planes_of(state.view(seat))
            turn = next(planes[name] for name in ("turn", "pending", "to act") if name in planes)
            assert turn[0] == 1
            compared += 1
    assert compared > 5


def test_drop_site_shows_own_cards_and_the_sites():
    """The hand and what was hidden are the viewer's own; sites are public."""
    state = droptable.game("drop-site").start(2)
    for number in (3, 3, 5, 7, 9, 0, 1, 2, 4, 6):
        state.apply(DEALER, f"deal {number}")
    state.apply(DEALER, "site 8")
    own = planes_of(state.view(0))
    assert own["hand"].sum(axis=1).tolist() == [0, 0, 0, 2, 0, 1, 0, 1, 0, 1, 0, 0, 0]
    assert np.argwhere(own["tops"]).tolist() == [[0, 8]]
    assert own["unseen"][3] == 0.5 and own["unseen"][8] == 0.75 and own["unseen"][0] == 1
    state.apply(0, "hide 3")
    assert planes_of(state.view(0))["reserves"][0, 3] == 0.25
    other = planes_of(state.view(1))
    assert not other["reserves"].any()
    assert other["reserve sizes"].tolist() == [0, np.float32(1 / 52)]


def test_drop_shows_pieces_where_they_stand():
    """The board is a square with the cell q,r in row r + 5, column q + 5 of a board of size 6."""
    state = droptable.game("drop").start()
    state.apply(0, "1,-2")
    white, black = planes_of(state.view(1)), planes_of(state.view(0))
    assert np.argwhere(white["rival"]).tolist() == [[3, 6]] == np.argwhere(black["own"]).tolist()
    assert np.argwhere(white["dud"]).tolist() == [[5, 5]]
    assert white["board"].sum() == 91 and white["free"].sum() == 61 - 2
    assert white["twice"][0] == 1 and white["black"][0] == 0 and black["black"][0] == 1


def test_drop_or_pop_shows_counters_by_column():
    """A counter lies in its column from the bottom up."""
    state = droptable.game("drop-or-pop").start(3)
    for column in ("blue", "blue"):
        state.apply(DEALER, column)
        state.apply(state.to_act[0], "drop")
    planes = planes_of(state.view(1))
    assert np.argwhere(planes["counters"]).tolist() == [[0, 1, 1], [2, 1, 0]]
    assert planes["in hand"].tolist() == [np.float32(5 / 6), 1, np.float32(5 / 6)]


def test_depot_shows_what_all_know():
    """Cards that a seat took in the sight of all are known to be in its hand."""
    chance = random.Random(1)
    state = droptable.game("depot").start(3)
    while state.to_act == (DEALER,):
        state.deal(chance)
    state.apply(0, state.legal(0)[0])
    taken = next(token for token in state.legal(1) if token.startswith("take"))
    number = int(taken.split()[1]) - 1
    state.apply(1, taken)
    for seat, place in ((0, 1), (1, 0), (2, 2)):
        planes = planes_of(state.view(seat))
        assert planes["known"][place, number] > 0
        assert planes["taken"].argmax() == number and planes["taken"].sum() == 1
        assert (planes["hand"].sum() == state.fields["hand_size"][seat]).all()


def test_number_drop_shows_sheets_and_hides_what_is_secret():
    """Numbers stand in their cells; what others do since the roll is not there."""
    chance = random.Random(3)
    state = droptable.game("number-drop").start(2)
    while state.to_act != (0, 1):
        if state.to_act == (DEALER,):
            state.deal(chance)
        else:
            state.apply(state.to_act[0], "write 3")
    planes = planes_of(state.view(1))
    assert np.argwhere(planes["numbers"]).tolist() == [[2, 0, 2]]
    assert np.argwhere(planes["sheets"]).tolist() == [[0, 0, 2], [1, 0, 2]]
    before = state.view(1).tensor()
    while 0 in state.to_act:
        state.apply(0, chance.choice(state.legal(0)))
    assert (state.view(1).tensor() == before).all()


def test_a_game_without_encoder_is_read_bit_by_bit():
    """The stones of Connect Four are the bits of its two boards, own ones first."""
    state = connect_four().start()
    state.apply(0, "drop 3")
    state.apply(1, "drop 3")
    planes = planes_of(state.view(1))
    assert np.argwhere(planes["stones"]).tolist() == [[0, 15], [1, 14]]
    assert planes["viewer"].tolist() == [0, 1] and planes["to act"].tolist() == [0, 1]


@pytest.mark.parametrize("seats", range(1, MOST_SEATS + 1))
def test_seats_are_turned_to_the_viewer(seats):
    """Sets of seats go clockwise from the viewer, and the dealer is none of them."""
    for first in range(seats):
        for bits in (0, 1, 0b10110101, DEALER_ACTS, DEALER_ACTS - 1):
            part = np.full(seats, 7, np.float32)
            seats_of(part, bits, first)
            assert part.tolist() == [bits >> (first + k) % seats & 1 for k in range(seats)]


# -- the page -------------------------------------------------------------------------------------


def table(game):
    """A game's planes as a Markdown table: their shapes with the fewest and the most players."""
    counts = sorted({game.players[0], game.players[-1]})
    several = [game.planes(players) for players in counts]
    heads = [f"with {players}" for players in counts] if len(counts) > 1 else ["shape"]
    lines = [["plane", *heads, "meaning"], ["---"] * (len(counts) + 2)]
    for planes in zip(*several, strict=True):
        shapes = [" × ".join(map(str, plane.shape)) for plane in planes]
        lines.append([planes[0].name, *shapes, planes[0].meaning])
    sizes = [str(size_of(planes)) for planes in several]
    lines.append(["all", *sizes, "numbers in a tensor"])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


@all_games
def test_the_page_has_the_planes_of_every_game(game):
    """docs/observations.md shows, for each game, the table made from the code."""
    section = PAGE.read_text("utf-8").split(f"## {game.title}\n")[1].split("\n## ")[0]
    assert table(game) in section


def test_the_pages_example_runs():
    """The code on the page cuts a tensor into its planes."""
    names = {}
    exec(PAGE.read_text("utf-8").split("```python\n")[1].split("```")[0], names)
    assert names["at"] == len(names["tensor"])
    assert names["planes"]["hand"].shape == (13, 4)


def write_page():
    """Put the tables of today into the page."""
    intro, *sections = PAGE.read_text("utf-8").split("\n## ")
    by_title = {game.title: game for game in GAMES}
    parts = [intro]
    for section in sections:
        title, _, body = section.partition("\n")
        if title in by_title:
            prose = [block for block in body.split("\n\n") if block.strip() and block[0] != "|"]
            body = "\n" + "\n\n".join([*(b.strip() for b in prose), table(by_title[title])]) + "\n"
        parts.append(f"{title}\n{body}")
    PAGE.write_text("\n## ".join(parts), "utf-8")


if __name__ == "__main__":
    write_page()
