"""Nothing is lost and nothing appears: cards, counters, pieces and marks at every event."""

import pytest

import droptable
from droptable.games.depot import rules as depot
from droptable.games.drop import rules as drop
from droptable.games.drop_site import rules as drop_site
from droptable.games.number_drop.rules import grid

TABLES = [(game, count) for game in droptable.games() for count in game.players]


def steps(name, players, **options):
    """All states of a random match of that game, with the event that led to each."""
    record = droptable.play(droptable.game(name), players, seed=players, **options)
    return list(zip([None, *record.events], record.states(), strict=True))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_drop_site_has_52_cards(players):
    """Deck, hands, reserves and sites together always hold four cards of every number."""
    for _, state in steps("drop-site", players, round_limit=3):
        assert drop_site.invariant(state.fields)
        state.array["hands"][0, 0] += 1
        assert not drop_site.invariant(state.fields)


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("all_cards", [False, True])
def test_depot_has_80_cards(players, all_cards):
    """Deck, discards, hands, Storage, the play on the table and the lost cards are the deck."""
    for _, state in steps("depot", players, games=3, all_cards=all_cards, turn_limit=100):
        assert depot.invariant(state.fields)
        state.array["storage"][0, 0] += 1
        assert not depot.invariant(state.fields)


@pytest.mark.parametrize("opening", ["dud", "ring"])
@pytest.mark.parametrize("squeeze", ["any", "enemy"])
def test_drop_pieces_only_leave_by_being_squeezed(opening, squeeze):
    """A placement adds one piece of its seat; what vanishes was squeezed; the dud always stays."""
    before, left = None, None
    for event, state in steps("drop", 2, opening=opening, squeeze=squeeze, pieces=40, size=5):
        mask = (1 << drop.PLANE) - 1
        counts = [
            sum(
                (int(row) >> (drop.PLANE * plane) & mask).bit_count()
                for row in state.fields["rows"]
            )
            for plane in range(3)
        ]
        assert counts[2] == 1
        if event is not None:
            seat = event[0]
            assert left[seat] - state.fields["left"][seat] == 1
            assert left[1 - seat] == state.fields["left"][1 - seat]
            before[seat] += 1
            assert all(now <= then for now, then in zip(counts[:2], before[:2], strict=True))
        before, left = counts, state.fields["left"].tolist()


@pytest.mark.parametrize("players", [1, 2, 4, 6])
@pytest.mark.parametrize("order", ["rulebook", "together", "clockwise"])
def test_number_drop_marks_stay(players, order):
    """A mark never changes or moves, and a circled cell stays circled."""
    sheets = [{} for _ in range(players)]
    for _, state in steps("number-drop", players, order=order):
        for seat, old in enumerate(sheets):
            new = {
                (row, column): mark
                for row in range(14)
                for column in range(7)
                if (mark := grid.mark_at(state.fields, seat, row, column))
            }
            assert old.items() <= new.items()
            assert len(new) - len(old) in (0, 1, 3, 4, 5)
            sheets[seat] = new
