"""Line mode: whole matches by typing, for people and for programs."""

import io
import json
import random

import pytest

import droptable
from droptable.terminal.line import LineMatch, Talk, choose_game

POP = droptable.game("drop-or-pop")
TABLES = [(game, count) for game in droptable.games() for count in game.players]


class Typist:
    """A person who types scripted lines, then the first move, until the match is over."""

    def __init__(self, *lines, then="1\n"):
        self.lines = list(lines)
        self.then = then

    def readline(self):
        return self.lines.pop(0) + "\n" if self.lines else self.then


def match(*lines, then="", as_json=False, game=POP, players=3, seat=0, seed=3):
    out = io.StringIO()
    line = LineMatch(
        game.start(players), seat, ["random"], Talk(out, as_json=as_json),
        lines=Typist(*lines, then=then), seed=seed,
    )  # fmt: skip
    finished = line.run()
    return line, out.getvalue(), finished


@pytest.mark.parametrize(
    ("game", "players"), TABLES, ids=[f"{game.name}-{count}" for game, count in TABLES]
)
def test_a_whole_match_by_numbers(game, players):
    """Always typing 1 leads to the end of every game, and the result is told."""
    line, text, finished = match(then="1\n", game=game, players=players, seat=players - 1)
    assert finished
    assert line.state.over
    assert "The match is over." in text
    assert max(map(len, text.split("\n"))) <= 100


@pytest.mark.parametrize("line", ["save .", "save /", "save a\0b", "9" * 5000, "99"])
def test_wrong_lines_lose_nothing(line):
    """No name of a file, no number of a move: a reason is given, and the match goes on."""
    mode, text, finished = match(line, "QUIT")
    assert not finished and not mode.state.over
    assert "Not possible: " in text


@pytest.mark.parametrize("game", droptable.games(), ids=lambda game: game.name)
def test_a_program_plays_by_json(game):
    """A program reads one JSON object a line, and answers with a token it was offered."""
    chance = random.Random(5)
    out = io.StringIO()

    class Program:
        def readline(self):
            last = json.loads(out.getvalue().strip().split("\n")[-1])
            assert last["type"] == "turn"
            return chance.choice(last["legal"])["token"] + "\n"

    state = game.start(game.players[0])
    line = LineMatch(state, 0, ["random"], Talk(out, as_json=True), lines=Program(), seed=1)
    assert line.run()
    last = json.loads(out.getvalue().strip().split("\n")[-1])
    assert last["type"] == "result"
    assert last["winners"] == list(line.state.winners)


def test_commands_answer_without_moving():
    """help, moves, board, rules, why and log answer and leave the match as it is."""
    line, text, _ = match("help", "moves", "board", "rules op4", "why pass", "why drop", "log")
    assert len(line.state.events) == 1
    assert "undo" in text
    assert "OP4 Ignore" in text
    assert "pass: a turn can only be passed on its second colour" in text
    assert "drop is legal." in text
    assert "You left the match." in text


def test_wrong_words_get_a_clear_answer():
    """Garbage, numbers out of range, illegal moves and half commands are explained."""
    line, text, _ = match("dorp", "99", "pass", "why", "why dance", "save", "rules XX9", "undo", "")
    assert "'dorp' is not a move of Drop or Pop!; possible now: drop, ignore" in text
    assert "there is no move number 99; expected 1 to 2" in text
    assert "(OP5)" in text
    assert "expected a move: why MOVE" in text
    assert "'dance' is not a move" in text
    assert "expected a file: save FILE" in text
    assert "no rule 'XX9'; its rules: OP1, OP2" in text
    assert "you have not moved yet" in text
    assert len(line.state.events) == 1


def test_save_and_go_on(tmp_path):
    """A saved match is a record that opens; a folder that is not there gets an answer."""
    path = tmp_path / "mine.json"
    line, text, _ = match("drop", f"save {path}", f"save {tmp_path}/no/where.json")
    assert droptable.open_record(path).final == line.state
    assert "there is no such folder" in text


def test_hint_names_a_legal_move():
    """A hint is one of the legal moves, with its reason."""
    _, text, _ = match("hint")
    assert "% to win)" in text
    assert any(f"{token}: " in text for token in ("drop", "ignore"))


def test_drop_undo_in_two_placement_turns():
    """In Drop. the second of two placements can still be thought over."""
    line, text, _ = match("undo", game=droptable.game("drop"), players=2, seat=1)
    assert "no longer undo" in text or "nothing to undo" in text
    first = line.state.legal(1)[0]
    line, text, _ = match(first, "undo", game=droptable.game("drop"), players=2, seat=1)
    assert "Back at the start of your turn." in text
    assert line.state.to_act == (1,)
    line, text, _ = match(first, "undo step", game=droptable.game("drop"), players=2, seat=1)
    assert "One step back." in text and first in line.state.legal(1)


def test_the_menu_leads_to_a_match():
    """Wrong answers are explained; quit leaves."""
    out = io.StringIO()
    talk = Talk(out, as_json=False)
    games = droptable.games()
    assert choose_game(games, talk, Typist("poker", "drop-or-pop", "7", "4")) == (POP, 4)
    assert "'poker' is not possible; expected drop-site, " in out.getvalue()
    assert choose_game(games, talk, Typist("quit")) is None
    assert choose_game(games, talk, Typist(then="")) is None


def test_wrong_tables_are_refused():
    """Seats and bots that do not fit are named."""
    talk = Talk(io.StringIO(), as_json=False)
    with pytest.raises(droptable.OptionError, match="no seat 3"):
        LineMatch(POP.start(3), 3, ["random"], talk, io.StringIO())
    with pytest.raises(droptable.OptionError, match="3 bots for 2 other seats"):
        LineMatch(POP.start(3), 0, ["random"] * 3, talk, io.StringIO())
