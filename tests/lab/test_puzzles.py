"""The miner finds positions with one best move, and no others."""

import time

import droptable
from droptable.bots.puzzles import puzzles
from droptable.lab.played_matches import played_matches
from droptable.lab.puzzles import SURE, Estimate, chosen, examine, lead
from droptable.tables.settings import ME, Settings
from tests.bots.test_coach import blunder
from tests.tables.club import meet

NUMBER = droptable.game("number-drop")
POP = droptable.game("drop-or-pop")


def test_one_best_move_is_found_again():
    """Another search, from another seed, finds the same single best move, apart from the others;
    where the second best nearly wins as well, there is no puzzle."""
    clearest = max(puzzles(POP), key=lambda puzzle: puzzle.share - puzzle.rival_share)
    again = examine(clearest.state(), clearest.seat, 0.5, seed=77)
    assert again is not None and (again.id, again.best) == (clearest.id, clearest.best)
    assert again.rival_share + SURE * again.error < again.share
    record = blunder()  # `drop` wins at once, but after `ignore` it does so nearly always
    thrown = record.state_at(record.events.index((0, "pop")))
    assert examine(thrown, 0, 0.5, seed=1) is None


def test_equal_moves_make_none():
    """Where several moves are equally good there is no puzzle: on an empty hexagon, all places that
    mirror each other are."""
    state = droptable.game("drop").start(size=5)
    assert examine(state, state.to_act[0], 0.0, seed=1) is None


def test_apart_means_clearly_apart():
    """Intervals that touch, won matches and lost ones make no puzzle."""
    assert Estimate(0.6, 0.02).apart_from(Estimate(0.5, 0.02))
    assert not Estimate(0.6, 0.03).apart_from(Estimate(0.5, 0.03))
    assert lead(0.6, 0.4, 2) > 0.1
    assert lead(0.013, 0.001, 2) < 0.02
    assert lead(0.5, 0.5, 3) == 0.0


def test_varied_ones_are_kept():
    """Of many puzzles, those of each difficulty, part of the match and kind of move are kept."""
    all_ = puzzles(POP)
    kept = chosen(all_, 12)
    assert len(kept) == 12 and all(puzzle in all_ for puzzle in kept)
    assert {p.difficulty for p in kept} == {p.difficulty for p in all_}
    assert {p.kind for p in kept} == {p.kind for p in all_}
    assert [p.rating for p in kept] == sorted(p.rating for p in kept)


def test_matches_of_a_server_are_mined(tmp_path):
    """Public matches that people finished give puzzles, which the server offers; what is private,
    and a deal that others still play, gives none."""

    async def scenario(club):
        club.now = time.time()
        host = await club.host()
        alone = [Settings("number-drop", 1, public=public, seats=(ME,)) for public in (True, False)]
        tables = [(await host.create("a", settings)).id for settings in alone]
        tables.append((await host.create_daily("a", NUMBER, club.now)).id)
        for table in tables:
            while (await host.table(table)).status == "playing":
                assert (await club.move(host, table, "a")).ok
        played = [record async for record in played_matches(host.store, NUMBER, 0.0)]
        public = await host.table(tables[0])
        assert [record.events for record in played] == [tuple(public.state.events)]
        assert [record async for record in played_matches(host.store, POP, 0.0)] == []

    meet(str(tmp_path / "tables.db"), scenario)
