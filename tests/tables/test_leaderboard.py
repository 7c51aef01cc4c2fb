"""The leaderboard: printed scores and the best of this server, ranked together."""

import droptable
from droptable.tables.leaderboard import leaderboard
from droptable.tables.settings import Settings
from tests.tables.club import PLENTY, meet


def test_a_solo_match_is_put_on_the_board(database):
    """Its score is kept with its table; an equal score does not beat a printed one."""

    async def scenario(club):
        host = await club.host(limits=PLENTY)
        table = (await host.create("a", Settings("number-drop", seats=("me",)))).id
        while (await host.table(table)).status == "playing":
            assert (await club.move(host, table, "a")).ok
        (score,) = await host.store.scores("number-drop", identity="a")
        final = await host.table(table)
        assert (score.table, score.name, score.score) == (table, "Ann", final.state.scores[0])

    meet(database, scenario)


def test_the_board_ranks_printed_scores_first():
    """27 is below the printed 27; 13 or less is not listed; earlier ones stand above later ones."""
    from droptable.tables.summary import Score

    game = droptable.game("number-drop")
    reached = [("T1", 27, 1.0), ("T2", 100, 2.0), ("T3", 13, 3.0), ("T4", 27, 0.5)]
    places = leaderboard(game, [Score(t, game.name, t, score, at) for t, score, at in reached])
    assert [p.rank for p in places] == list(range(1, 13))
    assert places[0].table == "T2" and places[1].name == "CHE"
    assert [p.name for p in places[-4:]] == ["GUI", "T4", "T1", "BEN"]
    assert "T3" not in [p.name for p in places]
