"""Ratings: which matches count, for whom and how much, always with the same result."""

import asyncio
import itertools
import math
import random

import pytest

from droptable.games import game as game_of
from droptable.games import games
from droptable.tables import commands as cmd
from droptable.tables import ratings
from droptable.tables.archive import export_tables, import_tables
from droptable.tables.own_data import own_data
from droptable.tables.permissions import Who
from droptable.tables.rating_model import Anchors, RatingModel, Skill, Strengths, model_of
from droptable.tables.ratings import BOTS_HALF, Match, half_after, match_of
from droptable.tables.rejected import Rejected
from droptable.tables.retention import delete_tables
from droptable.tables.settings import RATED_CLOCK, Clock, Settings, check
from droptable.tables.sharding import ShardedStore
from droptable.tables.store import Store
from tests.tables.club import meet
from tests.tables.sitting import ANN, BOB, Sitting

CLOCK = Clock("turn", 300, "resign")
BEA = "bea-whose-identity-is-long"
HOME, AWAY = Who("B", "Bob", "home"), Who("B", "Bob", "away")


def finished(winner=0, *, moves=5, first=ANN, second=BOB, **settings):
    """A rated match of Drop. that somebody has resigned after some moves of each."""
    sitting = Sitting("drop", who=first, **{"rated": True} | settings)
    sitting.do(second, cmd.Join())
    people = (first, second)
    for _ in range(moves):
        for who in people:
            while sitting.table.seat_of(who.identity) in sitting.table.state.to_act:
                sitting.move(who)
    sitting.do(people[1 - winner], cmd.Resign())
    return sitting.table


def match(number, people, winners, game="drop", bots=None):
    """A match as ratings know it."""
    seats = tuple(tuple(seat) for seat in people)
    return Match(f"T{number:04}", game, float(number), seats, bots or ("",) * len(seats), winners)


def store_with(url, matches):
    """A store in which these matches have been folded one after the other."""

    async def fold():
        store = Store(url)
        for one in matches:
            await store.write(lambda c, one=one: ratings.note(c, one.table, one))
            await ratings.settle(store)
        found = await store.query(all_ratings)
        await store.close()
        return found

    return asyncio.run(fold())


def all_ratings(connection):
    """Every number that is kept."""
    people = "SELECT table_id, identity, mu, sigma FROM rated_people ORDER BY table_id, identity"
    now = "SELECT identity, game, mu, sigma, matches, wins FROM ratings ORDER BY identity, game"
    return [list(connection.execute(query).fetchall()) for query in (people, now)]


def some_matches(count, seed=1, game="drop"):
    """Matches of four people of different strength at tables of two."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        pair = chance.sample("abcd", 2)
        second = chance.random() < 0.3 + 0.1 * "abcd".index(pair[1])
        made.append(match(number, pair, (int(second),), game))
    return made


# -- the model ------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("winners", [(0,), (1,), (0, 1)])
def test_a_rating_moves_along_the_likelihood_of_who_wins(players, winners):
    """By variance times the derivative of the log of the chance that these seats win, in which
    those who do not win are not compared with each other."""
    model = RatingModel(Anchors(1, 1.2, {players: Strengths(0.8, {})}))
    seats = [[Skill(0.3 * seat - 0.5, 0.4 + 0.1 * seat)] for seat in range(players)]
    after = model.rate(seats, winners)
    chances = model.predict(seats)
    beta = 1 / (0.8 * math.sqrt(players))
    spread = math.sqrt(sum(seat[0].sigma ** 2 + beta**2 for seat in seats))
    for number, (before, now) in enumerate(zip(seats, after, strict=True)):
        share = 1 / len(winners) if number in winners else 0.0
        slope = (share - chances[number]) / spread
        moved = (now[0].mu - before[0].mu) / before[0].sigma ** 2
        assert moved == pytest.approx(slope, rel=0.01)
        assert now[0].sigma < before[0].sigma + 0.01


def test_chances_add_up_and_teams_are_as_strong_as_their_mean():
    """The stronger wins more often; two of a kind on one seat are as strong as one."""
    model = RatingModel()
    strong, weak = Skill(1.0, 0.1), Skill(-1.0, 0.1)
    alone = model.predict([[strong], [weak], [weak]])
    shared = model.predict([[strong, strong], [weak], [weak, weak]])
    assert sum(alone) == pytest.approx(1) and alone[0] > 0.7
    assert shared == pytest.approx(alone, abs=0.01)
    (team, _, _) = model.rate([[strong, weak], [weak], [strong]], [0])
    assert team[0].mu - strong.mu == pytest.approx(team[1].mu - weak.mu) and team[0].mu > strong.mu


def test_a_draw_of_equals_changes_nothing():
    """Neither for two nor for four: a victory that all share is a tie."""
    model = RatingModel()
    for players in (2, 4):
        after = model.rate([[Skill(0.5, 0.5)]] * players, range(players))
        assert all(one.mu == pytest.approx(0.5, abs=1e-3) for (one,) in after)


def test_every_bot_of_every_game_was_measured():
    """At every player count with opponents each level has a strength, and they are in order."""
    for game in games():
        model = model_of(game.name)
        for players in (count for count in game.players if count > 1):
            levels = [
                model.bot(name, players).mu for name in ("random", "easy", "normal", "master")
            ]
            assert levels == sorted(levels) and levels[2] == 0.0
            assert model.bot("greedy", players) == model.bot("normal", players)
            assert (
                model.bot("hard", players).mu > levels[1] and model.bot("easy", players).sigma < 0.6
            )
        assert model.bot("nobody", 2) is None


# -- which matches count --------------------------------------------------------------------------


def test_what_a_rated_table_is():
    """By agreement, or public with a clock; always with a clock, the game's own options, others to
    play with, and without hints."""
    assert check(Settings("drop", public=True, clock=CLOCK)).rated
    for casual in (
        Settings("drop", clock=CLOCK),
        Settings("drop", public=True),
        Settings("drop", public=True, clock=CLOCK, rated=False),
        Settings("drop", public=True, clock=CLOCK, hints=True),
        Settings("drop", public=True, clock=CLOCK, options={"size": 5}),
    ):
        assert check(casual).rated is False
    standard = {"size": game_of("drop").options["size"].default}
    agreed = check(Settings("drop", rated=True, options=standard))
    assert agreed.rated and agreed.clock == RATED_CLOCK
    for refused in (
        Settings("number-drop", players=1, rated=True),
        Settings("drop", rated=True, hints=True),
        Settings("drop", rated=True, options={"size": 5}),
    ):
        with pytest.raises(Rejected):
            check(refused)


def test_nobody_is_helped_in_a_rated_match():
    """No hints, nobody is asked for an undo, no bot takes over; a rematch is rated as well."""
    sitting = Sitting("drop", rated=True)
    sitting.do(BOB, cmd.Join())
    assert not sitting.table.hints
    sitting.move(ANN)
    for command in (cmd.AskUndo(), cmd.TakeOver(0), cmd.TakeOver(1)):
        assert sitting.refuse(ANN, command).kind == "forbidden"


def test_who_resigns_loses_and_short_matches_do_not_count():
    """A resignation after some moves of each counts, an earlier one does not."""
    table = finished(winner=1)
    assert match_of(table) == Match(
        table.id, "drop", 1000.0, (("A",), ("B",)), ("", ""), (1,)
    )  # fmt: skip
    assert match_of(finished(moves=2)) is None
    assert match_of(finished(rated=None)) is None


def test_people_at_one_address_get_no_rating():
    """Two identities from one address, at two seats; from two addresses, or unknown ones, they
    count. What is kept differs at every table and tells no address."""
    ann = Who("A", "Ann", "home")
    assert match_of(finished(first=ann, second=HOME)) is None
    assert match_of(finished(first=ann, second=AWAY)) is not None
    assert match_of(finished(first=ANN, second=BOB)) is not None
    assert ann.place_at("one") != ann.place_at("other") and "home" not in ann.place_at("one")
    assert HOME.place_at("one") == ann.place_at("one") != AWAY.place_at("one")


def test_who_was_helped_cannot_win():
    """When a clock lets a bot play on for somebody who then wins, the match does not count."""
    clock = Clock("turn", 5, "bot")
    sitting = Sitting("drop", ("me", "open"), rated=True, clock=clock)
    sitting.do(BOB, cmd.Join())
    sitting.now += 6
    sitting.do(ANN, cmd.Tick())
    assert sitting.table.seats[0].assisted == {"bot"} or sitting.table.seats[0].stand_in
    sitting.let_bots_move()
    for _ in range(5):
        sitting.move(BOB)
        sitting.let_bots_move()
    sitting.do(BOB, cmd.Resign())
    assert sitting.table.winners == (0,) and match_of(sitting.table) is None


# -- the projection -------------------------------------------------------------------------------


def test_every_order_leads_to_the_same_ratings(tmp_path):
    """Matches that are noted late, twice, or changed afterwards: as if all had come in order."""
    matches = some_matches(60)
    expected = store_with(str(tmp_path / "in order.db"), matches)
    assert len(expected[0]) == 120 and len(expected[1]) == 4
    mixed = matches.copy()
    random.Random(2).shuffle(mixed)
    changed = match(7, "ab", (0, 1))
    noted = [changed, *mixed, matches[7], *mixed[:5]]
    assert store_with(str(tmp_path / "mixed.db"), noted) == expected


def test_repeated_opponents_count_less_and_less(tmp_path):
    """Whoever is beaten by the same friend, or beats the same bots, again and again, moves nobody
    far: after as many matches as are named here one more counts half."""
    friends = [match(number, "ab", (0,)) for number in range(40)]
    others = [match(100 + n, (("c",), (f"x{n}",)), (0,)) for n in range(40)]
    people, now = store_with(str(tmp_path / "farm.db"), friends + others)
    numbers = {who: mu for who, _game, mu, *_rest in now}
    assert numbers["a"] < 0.75 * numbers["c"]
    course = [mu for _table, who, mu, _sigma in people if who == "a"]
    gains = [after - before for before, after in itertools.pairwise(course)]
    assert gains[-1] < gains[0] / 4
    assert half_after(BOTS_HALF, BOTS_HALF) == 0.5


def test_newcomers_get_a_meaningful_number_from_bots(tmp_path):
    """Who wins half of their matches against bots ends near them, and surer with every match."""
    bots = ("", "normal")
    halves = [match(n, (("a",), ()), (n % 2,), bots=bots) for n in range(20)]
    _, ((_who, _game, mu, sigma, matches, wins),) = store_with(str(tmp_path / "bots.db"), halves)
    assert abs(mu) < 0.3 and sigma < 0.6 * model_of("drop").newcomer.sigma
    assert (matches, wins) == (20, 10.0)


def test_a_match_counts_once_with_two_servers(database):
    """Both take it over at once; the rating is that of a rebuild, before and after the person who
    lost was deleted. A table that is deleted stays counted, one that is imported counts, too."""

    async def scenario(club):
        one, other = await club.host(), await club.host()
        await one.register(BEA, "Bea")
        table = await play_and_resign(club, one)
        await asyncio.gather(one.rate(), other.rate())
        before = await one.store.query(all_ratings)
        assert [(row[0], row[4]) for row in before[1]] == [("a", 1), (BEA, 1)]
        assert await ratings.rebuild(other.store) == 1
        assert await one.store.query(all_ratings) == before
        assert [one["table"] for one in (await own_data(one.store, BEA))["ratings"]] == [table]
        await one.forget(BEA)
        await one.tidy_up()
        await other.rate()
        after = await one.store.query(all_ratings)
        assert BEA not in str(after) and before[1][0] in after[1]
        assert BEA not in str(await one.store.query(bodies))
        exported = [line async for line in export_tables(one.store)]
        await delete_tables(one.store, [table])
        await ratings.rebuild(one.store)
        assert await one.store.query(all_ratings) == after
        await import_tables(other.store, exported)
        await other.rate()
        assert await one.store.query(all_ratings) == after

    meet(database, scenario)


async def play_and_resign(club, host):
    """Ann and Bea play some moves each; then Bea resigns. The table's id."""
    table = (await host.create("a", Settings("drop", rated=True, clock=CLOCK))).id
    assert (await club.send(host, table, BEA, cmd.Join())).ok
    for _ in range(30):
        state = (await host.table(table)).state
        assert (await club.move(host, table, ("a", BEA)[state.to_act[0]])).ok
    assert (await club.send(host, table, BEA, cmd.Resign())).ok
    return table


def bodies(connection):
    """The matches as they are kept."""
    return list(connection.execute("SELECT body FROM rated_matches"))


def test_tables_in_other_databases_are_rated_at_home(tmp_path):
    """A match counts wherever its table is, and is forgotten there once it was taken over."""

    async def scenario():
        second = Store(str(tmp_path / "second.db"))
        store = ShardedStore(str(tmp_path / "home.db"), [second])
        for number in range(60):
            id_ = f"T{number}"
            for shard in [await store.shard_of(id_)]:
                add = "INSERT INTO unrated (table_id) VALUES (:id)"
                await shard.write(lambda c, add=add, id_=id_: c.execute(add, {"id": id_}).rowcount)
        assert len({await store.shard_of(f"T{number}") for number in range(60)}) == 2
        assert await ratings.take_over(store) == 60
        assert await ratings.take_over(store) == 0
        await store.close()

    asyncio.run(scenario())


def test_leaderboards_have_only_who_is_sure_and_does_not_hide(tmp_path):
    """Enough matches, little uncertainty, a name, not hidden; the best first."""
    from droptable.tables import profiles

    async def scenario():
        store = Store(str(tmp_path / "leaders.db"))
        for who in "abcd":
            await store.save_identity(who, f"Person {who}", 1.0)
        for one in [*some_matches(80, game="depot"), match(900, "ae", (0,), "depot")]:
            await store.write(lambda c, one=one: ratings.note(c, one.table, one))
        await ratings.settle(store)
        await profiles.hide(store, "b", hidden=True)
        listed = await store.query(lambda c: ratings.leaders(c, "depot"))
        assert sorted(one.identity for one in listed) == ["a", "c", "d"]
        numbers = [one.rating.skill.mu for one in listed]
        assert numbers == sorted(numbers, reverse=True)
        assert await store.query(lambda c: ratings.leaders(c, "drop")) == []
        course = await store.query(lambda c: ratings.course_of(c, "a", "depot", 5))
        assert len(course) == 5 and course == sorted(course)
        await store.close()

    asyncio.run(scenario())
