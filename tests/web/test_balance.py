"""How fair is it? The figures that come with the games, and games that nobody has measured."""

import pytest

from droptable.core import balance
from droptable.games import OWN


def test_every_game_of_ours_is_measured(person):
    """At every number of players, between random and between greedy bots; shares add up to one."""
    http = person().http
    for game in OWN:
        found = http.get(f"/api/games/{game.name}/balance").json()
        assert [table["players"] for table in found["tables"]] == list(game.players)
        for table in found["tables"]:
            assert {"random", "greedy"} <= {level["bot"] for level in table["levels"]}
            for level in table["levels"]:
                shares = [seat["value"] for seat in level["seats"]]
                assert len(shares) == table["players"]
                assert sum(shares) == pytest.approx(1, abs=0.001)
                assert all(seat["low"] <= seat["value"] <= seat["high"] for seat in level["seats"])
                assert level["figures"]["length: moves"]["value"] > 0
        assert http.get(f"/api/games/{game.name}/lessons").json()["measured"] is True
        page = http.get(f"/learn/{game.name}/balance")
        assert page.status_code == 200 and "balance.js" in page.text


def test_what_nobody_has_measured_is_refused(person, monkeypatch):
    """An unknown game, a game without figures, and one whose rules have changed since."""
    http = person().http
    assert http.get("/api/games/chess/balance").status_code == 404
    game = OWN[0]
    monkeypatch.setattr(game, "version", game.version + 1)
    balance.balance_of.cache_clear()
    assert balance.balance_of(game) is None
    monkeypatch.undo()
    balance.balance_of.cache_clear()
    assert balance.balance_of(game) is not None
