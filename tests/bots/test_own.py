"""Bots that people bring see a view and nothing else; what they answer wrongly is replaced."""

import doctest
import json
import logging
import os
import sys
import textwrap
from pathlib import Path

import pytest

import droptable
from droptable.bots.own import OwnBot
from droptable.bots.program import ProgramBot, ProgramFailed, question
from droptable.bots.registry import make_bot
from droptable.core.contract import DEALER
from droptable.core.errors import OptionError

NAMES = [game.name for game in droptable.games()]


class First:
    """Makes the first legal move."""

    def choose(self, view):
        return view.legal[0]


class Seeded:
    def __init__(self, seed):
        self.seed = seed

    def choose(self, view):
        return view.legal[self.seed % len(view.legal)]


def last(view):
    return view.legal[-1]


def program(tmp_path, source):
    """A command that runs a program in Python, which has `ask` in a loop."""
    file = tmp_path / "bot.py"
    head = "import json, sys\nfor line in sys.stdin:\n    ask = json.loads(line)\n"
    file.write_text(head + textwrap.indent(textwrap.dedent(source), "    "))
    return f"program:{sys.executable} {file}"


@pytest.mark.parametrize("name", NAMES)
def test_functions_objects_and_classes_play(name):
    """At every table a function, an object and a class play like a named bot does."""
    game = droptable.game(name)
    for players in game.players:
        bots = [(last, First(), First, Seeded, "greedy", "random")[seat] for seat in range(players)]
        one = droptable.play(game, players=players, bots=bots, seed=3)
        assert one.final.over and not one.info
        assert droptable.play(game, players=players, bots=bots, seed=3) == one
        state = one.game.start(players)
        for actor, token in one.events:
            if actor == 0:
                assert token == state.legal(0)[-1]
            state.apply(actor, token)


def test_bots_are_found_in_modules_and_files(tmp_path):
    """`package.module:Name` and `file.py:Name` are bots by name, also in an arena."""
    file = tmp_path / "my_bot.py"
    file.write_text("class Mine:\n    def choose(self, view):\n        return view.legal[0]\n")
    for name in (f"{file}:Mine", "tests.bots.test_own:First", "tests.bots.test_own:last"):
        record = droptable.play(droptable.game("drop"), bots=[name, "random"], seed=1)
        assert record.final.over
        assert not record.info


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("nowhere:Bot", "cannot be loaded: No module named 'nowhere'"),
        ("no_such_file.py:Bot", "there is no file no_such_file.py"),
        ("tests.bots.test_own:Nobody", "has no Nobody"),
        ("tests.bots.test_own:NAMES", "expected a function of a view"),
        ("program:", "names no command"),
        ("program:'x", "No closing quotation"),
        (7, "expected a function of a view"),
        (None, "expected a function of a view"),
        ("tests.bots.test_own:program", ""),
        ("gredy", "there is no bot 'gredy'"),
    ],
)
def test_what_is_no_bot_is_refused(bot, message):
    """What cannot play is refused before the match, with what was expected."""
    if not message:  # a function is a bot whatever it does
        assert isinstance(make_bot(bot), OwnBot)
        return
    with pytest.raises(OptionError, match=message):
        make_bot(bot)


def test_a_wrong_answer_is_told_replaced_and_counted(caplog):
    """Errors and answers that are no legal moves are logged and counted; the match goes on."""
    answers = iter(["place 99", "site 3", 7, None])

    def bad(_view):
        answer = next(answers, "")
        if answer == "":
            raise ZeroDivisionError("no idea")
        return answer

    with caplog.at_level(logging.WARNING, "droptable.bots"):
        record = droptable.play(
            droptable.game("drop-site"), bots=[bad, "greedy"], seed=2, target=10
        )
    turns = sum(actor == 0 for actor, _ in record.events)
    assert record.info == {"wrong answers of seat 0": str(turns)}
    assert [r.getMessage().split(";")[0] for r in caplog.records] == [
        "bot bad: it chose 'place 99': 'place 99' is not a move of Drop Site",
        "bot bad: it chose 'site 3': 'site 3' is not a move of Drop Site",
        "bot bad: it chose 7",
    ]
    assert droptable.play(
        droptable.game("drop"), bots=[lambda _: 1 / 0, "random"], seed=5
    ).final.over


def test_a_bot_gets_a_view_and_nothing_else():
    """What an own bot is given does not change if everything that is hidden from it does."""
    for name in ("drop-site", "depot", "number-drop"):
        game = droptable.game(name)
        state = game.start(game.players[1])
        chance = __import__("random").Random(4)
        for _ in range(40):
            actor = state.to_act[0]
            if actor == DEALER:
                state.deal(chance)
                continue
            view = state.view(actor)
            other = view.determinize(seed=chance.randrange(99)).view(actor)
            asked, again = (json.dumps(question(one, 1)) for one in (view, other))
            assert asked == again
            state.apply(actor, chance.choice(view.legal))


@pytest.mark.parametrize("name", NAMES)
def test_a_program_plays(name, tmp_path):
    """A program that reads and writes lines plays a match, by JSON or by the bare token."""
    plain = program(tmp_path, "print(ask['legal'][-1], flush=True)")
    game = droptable.game(name)
    bots = [plain, *["random"] * (game.players[0] - 1)]
    record = droptable.play(game, bots=bots, seed=1)
    assert record.final.over and not record.info
    assert record == droptable.play(game, bots=[last, *bots[1:]], seed=1)
    spoken = program(tmp_path, "print(json.dumps({'move': ask['legal'][-1]}), flush=True)")
    assert droptable.play(game, bots=[spoken, *bots[1:]], seed=1) == record


@pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
def test_a_program_may_be_a_shell_script(tmp_path):
    """Any language will do: here sed finds the first legal move."""
    script = tmp_path / "bot.sh"
    take = r"""sed -n 's/.*"legal": \["\([^"]*\)".*/\1/p'"""
    script.write_text(f'while read -r line; do printf "%s\\n" "$line" | {take}; done\n')
    record = droptable.play(droptable.game("drop"), bots=[f"program:sh {script}", "random"], seed=1)
    assert not record.info
    assert record == droptable.play(droptable.game("drop"), bots=[First, "random"], seed=1)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import time; time.sleep(60)", "it did not answer within"),
        ("sys.exit(3)", "it ended with exit code 3"),
        ("print('{\"move\": 7}', flush=True)", 'expected {"move": "TOKEN"}'),
        ("print('{', flush=True)", "it answered"),
        ("print('x' * 20_000, flush=True)", "more than 10000 bytes"),
        ("x = bytearray(10**9)", "it ended with exit code"),
    ],
)
def test_a_program_that_fails_harms_nobody(source, message, tmp_path, monkeypatch):
    """One that hangs, ends, babbles or takes too much memory is ended, and says how it failed."""
    monkeypatch.setattr("droptable.bots.program.FIRST_SECONDS", 1.0)
    seconds = 0.5 if "sleep" in source else 20.0
    command = program(tmp_path, source).removeprefix("program:")
    bot = ProgramBot(command, seconds=seconds, megabytes=300)
    state = droptable.game("drop").start()
    with pytest.raises(ProgramFailed, match=message.replace("{", r"\{")):
        bot.choose(state.view(0))
    bot.close()


def test_a_program_that_always_fails_is_given_up():
    """A program that cannot even start costs a few attempts, not one for each move."""
    bot = ProgramBot("/no/such/program")
    state = droptable.game("drop").start()
    for _ in range(5):
        with pytest.raises(ProgramFailed, match="cannot be started: No such file"):
            bot.choose(state.view(0))
    with pytest.raises(ProgramFailed, match="was started 5 times"):
        bot.choose(state.view(0))


def test_the_page_shows_it():
    """The example in docs/bots.md gives what is printed there."""
    page = Path(__file__).parents[2] / "docs" / "bots.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried and not failed
