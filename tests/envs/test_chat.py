"""Matches as chats: messages tell what a seat may know; answers are refused, replaced, rewarded."""

import random
import re
from pathlib import Path

import numpy as np
import pytest

import droptable
from droptable.bots.registry import make_bot
from droptable.core.errors import OptionError
from droptable.envs.chat import ChatMatch

NAMES = [game.name for game in droptable.games()]
SHORT = {"drop-site": {"target": 10}, "drop": {"size": 5}}


def finish(match, say=lambda legal, chance: f"move: {chance.choice(legal)}", seed=0):
    chance = random.Random(seed)
    while (seat := match.seat) is not None:
        match.answer(seat, say(match.text.view(seat).legal, chance))
    return match


@pytest.mark.parametrize("name", NAMES)
def test_models_play_against_bots(name):
    """A match with the fewest players ends, with its record, and rewards that add up to zero."""
    players = droptable.game(name).players[0]
    match = ChatMatch(name, opponents=["random"] * (players - 1), model_seat=players - 1, seed=3,
                      names=["a", "b", "c"][:players], **SHORT.get(name, {}))  # fmt: skip
    outcome = finish(match).outcome
    assert outcome.over and outcome.record.final.over and outcome.record.info["seat 0"] == "a"
    assert not any(outcome.refused) and not any(outcome.replaced)
    total = outcome.scores[0] if players == 1 else 0.0
    assert sum(outcome.rewards) == pytest.approx(total, abs=1e-5)
    assert {decision.seat for decision in match.decisions} == {players - 1}


@pytest.mark.parametrize("name", NAMES)
def test_models_play_each_other(name):
    """With the most players, each seat is asked, and gets rewards by the end."""
    players = droptable.game(name).players[-1]
    match, chance = ChatMatch(name, players, seed=3), random.Random(1)
    for _ in range(20):
        if (seat := match.seat) is not None:
            assert match.answer(seat, chance.choice(match.text.view(seat).legal)).token
    assert match.outcome.rewards == (0.0,) * players or match.over
    asked = {decision.seat for decision in match.decisions}
    assert len(asked) > 1 or players == 1


def test_rewards_are_those_of_other_environments():
    """Of n seats, k winners share what the others lose (docs/environments.md)."""
    outcome = finish(ChatMatch("depot", 4, seed=2, moves=False)).outcome
    shares = [4 / len(outcome.winners) * (seat in outcome.winners) for seat in range(4)]
    assert outcome.rewards == pytest.approx([(share - 1) / 3 for share in shares])


def test_a_conversation_is_system_history_and_now():
    """Roles alternate; the rules come once; the history is short and repeats no table."""
    match = ChatMatch("drop-or-pop", opponents="greedy", seed=1, history=2)
    asked = []
    while (seat := match.seat) is not None:
        messages = match.messages(seat)
        asked.append([m["role"] for m in messages])
        assert "OP1" in messages[0]["content"] and "OP1" not in messages[-1]["content"]
        assert "Your legal moves" in messages[-1]["content"]
        assert all("The table, as you see it" not in m["content"] for m in messages[1:-1])
        match.answer(seat, match.text.view(seat).legal[0])
    once = ["user", "assistant"]
    assert asked[:4] == [["system", *once * n, "user"] for n in (0, 1, 2, 2)]
    assert "The match is over" in match.messages(0)[-1]["content"]


def test_a_refused_answer_is_asked_for_again_and_then_replaced():
    """The next messages say why; the third time a legal move is made; penalties are taken off."""
    match = ChatMatch("drop", opponents="random", seed=1, tries=3, penalty=0.25, size=5)
    first = match.answer(0, "I resign")
    assert first.token is None and "there is no move in" in first.problem
    assert "Your last answer was refused: there is no move in" in match.messages(0)[-1]["content"]
    assert match.answer(0, "move: 9,9").token is None
    assert match.outcome.replaced == (0, 0) and not match.text.record.events
    match.answer(0, 7)
    assert match.outcome.refused == (3, 0) and match.outcome.replaced == (1, 0)
    assert match.text.record.events[0][0] == 0
    assert "refused" not in match.messages(0)[-1]["content"]
    outcome = finish(match).outcome
    won = 1.0 if outcome.winners == (0,) else -1.0 if outcome.winners == (1,) else 0.0
    assert outcome.rewards == pytest.approx((won - 0.75, -won))
    assert outcome.record.info == {"refused of seat 0": "3", "replaced of seat 0": "1"}
    before = len(match.text.record.events)
    assert match.answer(0, "move: 0,0").token is None  # the match is over: nothing happens
    assert len(match.text.record.events) == before and match.outcome.replaced == (1, 0)


@pytest.mark.parametrize("name", NAMES)
def test_messages_do_not_tell_what_is_hidden(name):
    """All that is hidden from a seat may be another thing: its messages stay the same."""
    players = droptable.game(name).players[-1]

    def played():
        match = ChatMatch(name, players, seed=3, history=3)
        bot = make_bot("random", 5)
        for _ in range(12):
            if (seat := match.seat) is not None:
                match.answer(seat, bot.choose(match.text.view(seat)))
        return match

    match = played()
    for seat in match.seats:
        twin = played()
        twin.text._state = match.text._state.view(seat).determinize(seed=5)
        assert twin.messages(seat) == match.messages(seat)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"opponents": ["random", "random"]}, "2 opponents for 1 other seats"),
        ({"opponents": "gredy"}, "there is no bot 'gredy'"),
        ({"model_seat": 2}, "expected 0 to 1"),
        ({"tries": 0}, "tries is 0"),
        ({"history": -1}, "history -1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    """The refusal names the value and what was expected."""
    with pytest.raises(OptionError, match=message):
        ChatMatch("drop", **settings)


def test_the_same_seed_gives_the_same_match():
    """Deals, opponents and replaced moves follow from it."""
    records = {str(finish(ChatMatch("depot", opponents="random", seed=4)).outcome.record.events)
               for _ in range(2)}  # fmt: skip
    assert len(records) == 1
    assert np.isfinite(finish(ChatMatch("number-drop", 1, seed=1)).outcome.rewards[0])


def test_the_page_shows_it(capsys):
    """The example in docs/language-models.md runs as it stands."""
    page = Path(__file__).parents[2] / "docs" / "language-models.md"
    example, *_ = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    exec(compile(example, str(page), "exec"), {})
    assert re.fullmatch(r"\(.+\) \(0, 0, 0\)\n", capsys.readouterr().out)
