"""The moments of Number Drop: what is shown, one after the other, and told in one line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations

import pytest

from droptable.core.contract import DEALER, NOBODY
from droptable.core.scene import Beat, Frame, Step
from droptable.core.state import State
from droptable.games.number_drop import GAME, rules
from droptable.games.number_drop.picture.beats import beats
from droptable.games.number_drop.rules import grid
from droptable.games.number_drop.words.log import tell_turn
from droptable.games.number_drop.words.notation import cells_of
from droptable.testing.pictures import check_picture

from .test_number_drop import PLAIN, begin, letter_a, roll, table
from .test_number_drop_scene import NAMES, played

Event = tuple[int, str]


def seen(state: State, events: Sequence[Event], viewer: int | None) -> list[Step]:
    """Events as a viewer sees them; the state is left behind them."""
    steps = []
    for actor, token in events:
        vocabulary = GAME.vocabulary(state.options)
        ids = vocabulary.outcome_ids if actor == DEALER else vocabulary.action_ids
        secret = actor >= 0 and rules.is_secret(state.fields)
        before = state.view(viewer).fields.copy()
        state.apply(actor, token)
        known = not secret or actor == viewer
        after = state.view(viewer).fields.copy()
        steps.append(Step(before, after, actor, ids[token] if known else -1))
    return steps


def shown(steps: Sequence[Step], viewer: int | None, *, tall: bool = True) -> list[Beat]:
    """All beats of some steps."""
    seat = NOBODY if viewer is None else viewer
    frame = Frame(NAMES, tall)
    return [beat for step in steps for beat in beats(step, seat, frame)]


def rolled(dice: str, shape: str) -> list[Event]:
    return [*((DEALER, f"die {face}") for face in dice.split()), (DEALER, f"shape {shape}")]


def dropped(seat: int, place: str, numbers: str) -> list[Event]:
    return [(seat, f"at {place}"), *((seat, f"num {number}") for number in numbers.split())]


def circled(seat: int, *cells: str) -> list[Event]:
    return [*((seat, f"cell {cell}") for cell in cells), (seat, "done")]


# -- beats ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["rulebook", "together", "clockwise"])
@pytest.mark.parametrize("players", GAME.players)
def test_every_event_can_be_shown(players: int, order: str) -> None:
    """Every picture of a beat is sound, for a seat and for spectators; the match ends in one."""
    *_, last = played(players, 11, order)
    match = last.events
    for viewer, tall in ((0, True), (None, False)):
        state = GAME.start(players, order=order)
        told = shown(seen(state, match, viewer), viewer, tall=tall)
        for beat in told:
            if beat.picture is not None:
                touchable = check_picture(beat.picture, tall)
                assert not touchable, "what passes cannot be touched"
        assert told[-1].sound in ("win", "loss") and told[-1].seconds >= 1


def test_a_roll_is_one_beat() -> None:
    """Four number dice and the shape die tumble together, one a little after the other."""
    state = begin(2)
    steps = seen(state, rolled(PLAIN, "T"), 0)
    (beat,) = shown(steps, 0)
    assert beat.sound == "dice" and beat.text == "Ann rolls 1 2 3 7, T."
    drawn = GAME.scene.draw(state.view(0).fields, 0, Frame(NAMES, True)).body
    waits = re.findall(r'data-face="[\dT]" data-turn="tumble" data-wait="([\d.]+)"', drawn)
    assert [float(wait) for wait in waits] == sorted({float(wait) for wait in waits})
    assert len(waits) == 5


def test_own_steps_take_no_time() -> None:
    """A drop takes half a second at most, numbers and chosen cells none."""
    state = roll(begin(2), PLAIN, "I")
    told = shown(seen(state, dropped(0, "0 1", "1 2 3 7"), 0), 0)
    assert 0 < told[0].seconds <= 0.5 and told[0].sound == "drop"
    assert [beat.seconds for beat in told[1:]] == [0]
    assert not shown(seen(state, [(0, "cell 1 1"), (0, "cell 2 1")], 0), 0)


def test_a_dropped_shape_falls_as_one() -> None:
    """Its squares are one group that comes from the grid's upper edge."""
    state = roll(begin(2), PLAIN, "T")
    state.apply(0, "at 0 1")
    drawn = GAME.scene.draw(state.view(0).fields, 0, Frame(NAMES, True)).body
    (group,) = re.findall(r'<g id="drop-0"[^>]*>', drawn)
    assert 'data-from="sky-0"' in group and 'data-way="fall"' in group
    assert drawn.count('data-touch="square-') == 4


@pytest.mark.parametrize("viewer", [0, 1])
def test_a_combo_is_circled_and_its_points_fly(viewer: int) -> None:
    """A line is drawn round it; its points stand over it, and then fly to the sum."""
    state = roll(begin(2, order="clockwise"), PLAIN, "I")
    seen(state, [*dropped(0, "0 1", "1 2 3 7"), *dropped(1, "0 1", "1 2 3 7")], 0)
    first, second = shown(seen(state, circled(0, "1 1", "2 1", "3 1"), viewer), viewer)
    assert first.sound == "combo" and first.text == "Ann circles 1-2-3 (+3)."
    assert first.picture is not None and second.picture is None
    assert 'id="gain"' in first.picture.body and 'data-to="points-0"' in first.picture.body
    assert ">+3<" in first.picture.body
    if viewer == 0:
        assert 'data-enter="stroke"' in first.picture.body


@pytest.mark.parametrize("order", ["rulebook", "together"])
def test_what_was_hidden_is_shown_sheet_by_sheet(order: str) -> None:
    """When all are done the others' sheets are shown, one after the other, with what is new."""
    state = roll(begin(4, order=order), PLAIN, "I")
    events = [event for seat in range(4) for event in dropped(seat, "0 1", "1 2 3 7")]
    if order == "together":
        events += [(seat, "skip") for seat in range(4)]
    told = shown(seen(state, events, 3), 3)
    news = [beat for beat in told if beat.picture and "nd-news" in beat.picture.body]
    assert [beat.text.split()[0] for beat in news] == ["Ann", "Bob", "Cy"]
    assert all('id="fresh-' in beat.picture.body for beat in news if beat.picture)
    assert sum(beat.seconds for beat in news) <= 2


@pytest.mark.parametrize("order", ["rulebook", "together"])
@pytest.mark.parametrize("viewer", [2, None])
def test_beats_do_not_tell_who_was_first(order: str, viewer: int | None) -> None:
    """In whatever order others act in secret, a viewer is shown the same bytes at the same time."""
    start = roll(begin(4, order=order), PLAIN, "I")
    own = [] if viewer is None else dropped(viewer, "0 3", "7 3 2 1")
    if order == "together" and viewer is not None:
        own += [(viewer, "skip")]
    others = {}
    for seat in range(4):
        if seat != viewer:
            others[seat] = dropped(seat, f"0 {seat + 1}", "1 2 3 7")
            if order == "together":
                others[seat] += [(seat, "skip")]
    told = set()
    for sequence in permutations(others):
        state = start.copy()
        seen(state, own, viewer)
        steps = seen(state, [event for seat in sequence for event in others[seat]], viewer)
        early = [beat for step in steps[:-1] for beat in shown([step], viewer)]
        assert not early, "something is shown while others still act"
        drawn = [(b.seconds, b.text, b.sound, b.picture) for b in shown(steps[-1:], viewer)]
        told.add(repr(drawn))
        assert drawn
    assert len(told) == 1


def test_a_block_is_announced_and_slams() -> None:
    """The letter is named for whom its block falls; each drop of it sounds like one (ND5)."""
    state = letter_a()
    _roll, second = shown(seen(state, rolled("* 1 2 3", "I"), 1), 1)
    assert second.text == "Block A (L) falls for Bob."
    told = shown(seen(state, [(1, "at 0 1")], 1), 1)
    assert told[0].sound == "block" and told[0].picture is not None
    assert 'data-enter="slam"' in told[0].picture.body


def test_full_rows_are_told() -> None:
    """At a round's end rows that have just become full are counted (ND13)."""
    state = roll(table("...1234", "1......", order="clockwise"), "1 2 3 7", "L")
    lies = next(
        token for token in state.legal(0)
        if token.split()[2] == "1" and _cells(state, token) == {(0, 0), (0, 1), (0, 2), (1, 0)}
    )  # fmt: skip
    events = [(0, lies), *((0, f"num {n}") for n in (7, 1, 3, 2)), *dropped(1, "0 1", "1 2 3 7")]
    seen(state, events, 0)
    told = []
    while state.to_act != (DEALER,):
        (seat,) = state.to_act
        told += shown(seen(state, [(seat, "skip")], 0), 0)
    assert [beat.text for beat in told] == ["Ann: +2 for full rows."]


def _cells(state: State, token: str) -> set[tuple[int, int]]:
    action = GAME.vocabulary(state.options).action_ids[token]
    shape = int(state.fields["shape"][0])
    return set(cells_of(grid.landing(state.fields, 0, shape, action - rules.DROP_ID)))


@pytest.mark.parametrize("viewer", [0, 1])
def test_the_end_counts_row_by_row(viewer: int) -> None:
    """Rows above the line cost 5 one after the other; then the winner's sheet is marked (ND13)."""
    state = table(" ".join(["1......"] * 11), "1......", order="clockwise")
    roll(state, PLAIN, "T")
    stands = next(
        token for token in state.legal(0)
        if {row for row, _column in _cells(state, token)} == {11, 12, 13}
    )  # fmt: skip
    numbers = [(0, f"num {number}") for number in (1, 2, 3, 7)]
    seen(state, [(0, stands), *numbers, *dropped(1, "0 2", "1 2 3 7")], viewer)
    told = []
    while not state.over:
        (seat,) = state.to_act
        told += shown(seen(state, [(seat, "skip")], viewer), viewer)
    *lost, result = told
    assert [beat.sound for beat in lost] == ["burst"] * 3
    assert all("−5 for Ann" in beat.text for beat in lost)
    points = [
        re.findall(r'id="points-0"[^>]*data-face="(-?\d+)"', beat.picture.body)
        for beat in lost
        if beat.picture
    ]
    assert points == [["-5"], ["-10"], ["-15"]]
    assert result.text == "Bob wins with 0!"
    assert result.sound == ("win" if viewer else "loss")
    drawn = GAME.scene.draw(state.view(viewer).fields, viewer, Frame(NAMES, True)).body
    assert re.search(r'class="nd-plate[^"]* won"', drawn)


def test_solo_ends_among_the_printed_scores() -> None:
    """The own score is put into the list, and told with its rank (ND18)."""
    *_, state = played(1, 3)
    drawn = GAME.scene.draw(state.view(0).fields, 0, Frame(NAMES, True)).body
    assert 'id="own-rank"' in drawn and ">CHE<" in drawn and ">BEN<" in drawn


# -- turns as lines -------------------------------------------------------------------------------


def test_a_roll_is_one_line() -> None:
    """All dice of a roll, and the block that falls."""
    assert tell_turn(seen(begin(2), rolled("4 1 2 6", "T"), 1), NAMES) == "Ann rolls 4 1 2 6, T."
    told = tell_turn(seen(letter_a(), rolled("* 1 2 3", "*"), 0), NAMES)
    assert told == "Ann rolls ★ 1 2 3, ★. Block A (L) falls for Bob."


def test_the_tiles_are_one_line() -> None:
    """The five tiles, as far as they are drawn."""
    state = GAME.start(players=2)
    steps = seen(state, [(DEALER, f"tile {tile}") for tile in ("I3", "T", "X5", "O", "S")], 0)
    assert tell_turn(steps[:2], NAMES) == "The blocks: A I3, B T."
    assert tell_turn(steps, NAMES) == "The blocks: A I3, B T, C X5, D O, E S."


def test_a_turn_is_one_line() -> None:
    """A drop and the combo that follows it, with its points; small steps are not told."""
    state = roll(begin(1), PLAIN, "*")
    events = [(0, "slide B"), (0, "slide C"), (0, "as I"), *dropped(0, "0 1", "1 2 3 7")]
    events += circled(0, "1 1", "2 1", "3 1")
    told = tell_turn(seen(state, events, 0), NAMES)
    assert told == (
        "Ann slides tile B (O) to 3 above GO!. Ann slides tile C (T) to 3 above GO!. "
        "Ann drops the I into columns a-d and circles 1-2-3 (+3). Round 1 ends: Ann 3."
    )


def test_what_was_hidden_is_told_in_the_line_that_shows_it() -> None:
    """A turn that nobody saw is told as what stands on the sheet afterwards (ND14)."""
    state = roll(begin(2, order="rulebook"), PLAIN, "I")
    assert tell_turn(seen(state, dropped(0, "0 1", "1 2 3 7"), 1), NAMES) == ""
    told = tell_turn(seen(state, dropped(1, "0 2", "7 3 2 1"), 1), NAMES)
    assert told == "Bob drops the I into columns b-e. Ann drops 1 2 3 7 into columns a-d."
