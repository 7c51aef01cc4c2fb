"""Line mode: a match as lines of text in and out, without colours or cursor control.

A person reads the text; with `--json` a program reads the same messages, one JSON object per line.
"""

from __future__ import annotations

import json
import random
import textwrap
from collections.abc import Sequence
from typing import Any, TextIO

from droptable.bots.players import GreedyBot
from droptable.bots.precompile import bots_ready
from droptable.bots.registry import make_bot
from droptable.bots.search import search
from droptable.core.contract import DEALER
from droptable.core.errors import DroptableError, IllegalMove, OptionError
from droptable.core.game import Game
from droptable.core.language import counted
from droptable.core.precompile import policy
from droptable.core.state import State
from droptable.core.undo import take_back

HINT_SECONDS = 1.0
LONGEST_NUMBER = 9  # digits
MANY_MOVES = 24  # more than these are listed several per line
WIDTH = 80
HELP = """\
Type the number of a move, or the move itself. Also:
  moves          list the legal moves again      board        show the board again
  hint           a suggestion, with your chance of winning
  undo [step]    go back to the start of your turn, or one step, if nothing was shown since
  why MOVE       why a move is not legal now     rules [RULE] the rules, or one of them
  log            what has happened so far        save FILE    write the match to a file
  quit           leave the match"""


class Talk:
    """Messages to the player: text for people, or (`as_json`) one JSON object per line."""

    def __init__(self, out: TextIO, *, as_json: bool) -> None:
        self._out = out
        self.as_json = as_json

    def say(self, kind: str, text: str, **data: Any) -> None:
        """Print a message: programs get its kind and data too."""
        if self.as_json:
            text = json.dumps({"type": kind, "text": text, **data})
        elif kind in ("event", "note"):
            text = textwrap.fill(text, WIDTH, subsequent_indent="  ")
        print(text, file=self._out, flush=True)

    def prompt(self, text: str) -> None:
        """Show people that it is their turn to type."""
        if not self.as_json:
            print(text, end="", file=self._out, flush=True)


class LineMatch:
    """One person at one seat, bots at the others."""

    def __init__(
        self,
        state: State,
        seat: int,
        bots: Sequence[str],
        talk: Talk,
        lines: TextIO,
        seed: int | None = None,
    ) -> None:
        if not 0 <= seat < state.players:
            raise OptionError(f"there is no seat {seat}; seats are 0 to {state.players - 1}")
        self.state = state
        self.seat = seat
        self.talk = talk
        self._lines = lines
        self._chance = random.Random(seed)
        others = [s for s in range(state.players) if s != seat]
        names = list(bots) * len(others) if len(bots) == 1 else list(bots)
        if len(names) != len(others):
            raise OptionError(f"{len(names)} bots for {len(others)} other seats: {names!r}")
        self._bots = {
            s: make_bot(name, self._chance.getrandbits(32))
            for s, name in zip(others, names, strict=True)
        }
        self.names = [
            f"Seat {s} (you)" if s == seat else f"Seat {s} ({names[others.index(s)]})"
            for s in range(state.players)
        ]

    def run(self) -> bool:
        """Play until the match is over (True) or the person leaves (False)."""
        game, state = self.state.game, self.state
        players = counted("{count} player", "{count} players", state.players)
        self.talk.say(
            "start",
            f"{game.title}, {players}. You are seat {self.seat}. "
            "Type help for the commands.",
            game=game.name, players=state.players, seat=self.seat, options=state.options,
        )  # fmt: skip
        if policy() != "never" and not bots_ready(game):
            self.talk.say(
                "note",
                "(First start: rules and bots are being compiled in the background. Until that is "
                "done, for up to two minutes, bots of all levels play without search.)",
            )
        while self._advance():
            self._show_turn()
            if not self._ask():
                return False
        final = self.state
        self.talk.say("board", f"\n{final.view(self.seat)}")
        self.talk.say(
            "result",
            f"The match is over. {game.words.verdict(final.fields, self.names)}\n"
            + "\n".join(
                f"  {name}: {score}" for name, score in zip(self.names, final.scores, strict=True)
            ),
            scores=final.scores, winners=final.winners,
        )  # fmt: skip
        return True

    # -- dealer and bots --------------------------------------------------------------------------

    def _advance(self) -> bool:
        """Let the dealer and the bots act until the person has a choice; False when it is over.

        In simultaneous phases the person goes first, so that undo stays possible.
        """
        while not self.state.over:
            if self.seat in self.state.to_act:
                moves = self.state.legal(self.seat)
                if len(moves) > 1 or self.talk.as_json:
                    return True
                self._apply(self.seat, moves[0], note=" (the only move)")
                continue
            actor = self.state.to_act[0]
            if actor == DEALER:
                self._apply(actor, self.state.draw(self._chance))
            else:
                self._apply(actor, self._bots[actor].choose(self.state.view(actor)))
        return False

    def _apply(self, actor: int, token: str, note: str = "") -> None:
        before = self.state.copy()
        self.state.apply(actor, token)
        known = self.seat in before.witnesses(actor, token)
        text = sentence(before, self.state, actor, token, self.seat, self.names)
        if text:  # empty: the seat may not even know that something happened
            self.talk.say("event", text + note, actor=actor, token=token if known else None)

    # -- the person -------------------------------------------------------------------------------

    def _show_turn(self) -> None:
        view = self.state.view(self.seat)
        if self.talk.as_json:
            self.talk.say(
                "turn", str(view), seat=self.seat, view=view.to_dict(), scores=view.scores,
                legal=[{"token": token, "label": view.label(token)} for token in view.legal],
            )  # fmt: skip
            return
        self.talk.say("board", f"\n{view}")
        self._list_moves(briefly=True)

    def _list_moves(self, *, briefly: bool = False) -> None:
        view = self.state.view(self.seat)
        width = max(len(token) for token in view.legal)
        lines = [
            f"{number:>3}  {token:<{width}}  {view.label(token)}"
            for number, token in enumerate(view.legal, 1)
        ]
        if briefly and len(lines) > MANY_MOVES:
            cells = [f"{n:>3}  {token:<{width}}" for n, token in enumerate(view.legal, 1)]
            each = max(1, WIDTH // (len(cells[0]) + 2))
            lines = ["  ".join(cells[i : i + each]) for i in range(0, len(cells), each)]
            lines.append("(Type moves to see what each does.)")
        self.talk.say("moves", "\n".join(lines))

    def _ask(self) -> bool:
        """Read lines until the match has moved on (True) or the person leaves (False)."""
        while True:
            self.talk.prompt("Your move> ")
            line = self._lines.readline()
            words = line.split()
            if not line or words[:1] in (["quit"], ["QUIT"]):
                self.talk.say("bye", "You left the match.")
                return False
            if not words:
                continue
            try:
                if self._carry_out(words[0].lower(), " ".join(words[1:])) or self._move(words):
                    return True
            except DroptableError as error:
                rule = error.rule if isinstance(error, IllegalMove) else None
                self.talk.say("error", f"Not possible: {error}", rule=rule)
            except OSError as error:
                where = f"{error.filename}: " if error.filename else ""
                reason = f"{where}{error.strerror or error}"
                self.talk.say("error", f"Not possible: {reason}", rule=None)

    def _move(self, words: list[str]) -> bool:
        if _is_command(words[0].lower()):
            return False
        token = " ".join(words)
        moves = self.state.legal(self.seat)
        if token.isdecimal() and token not in moves:
            number = int(token) if len(token) < LONGEST_NUMBER else 0
            if not 1 <= number <= len(moves):
                raise OptionError(f"there is no move number {token}; expected 1 to {len(moves)}")
            token = moves[number - 1]
        self._apply(self.seat, token)
        return True

    def _carry_out(self, command: str, rest: str) -> bool:
        """Carry out a command that is not a move; True if the position has changed."""
        match command:
            case "help" | "?":
                self.talk.say("help", HELP)
            case "moves":
                self._list_moves()
            case "board":
                self.talk.say("board", str(self.state.view(self.seat)))
            case "hint":
                self._hint()
            case "undo":
                step = rest.strip().lower() == "step"
                self.state = take_back(self.state, self.seat, step=step)
                where = "One step back." if step else "Back at the start of your turn."
                self.talk.say("undo", where)
                return True
            case "why":
                self._why(rest)
            case "rules":
                game = self.state.game
                self.talk.say("rules", game.rule(rest) if rest else game.text)
            case "log":
                self._log()
            case "save":
                if not rest:
                    raise OptionError("expected a file: save FILE")
                self.state.record.save(rest)
                self.talk.say("saved", f"Saved to {rest}.", file=rest)
        return False

    def _hint(self) -> None:
        view = self.state.view(self.seat)
        if not bots_ready(view.game):
            token = GreedyBot().choose_soon(view, HINT_SECONDS)
            reason = "nothing is compiled" if policy() == "never" else "it is being compiled"
            text = f"{token}: {view.label(token)} (without search: {reason})"
            self.talk.say("hint", text, token=token, value=None)
            return
        self.talk.say("note", "Thinking …")
        best = search(view, seconds=HINT_SECONDS).best
        token, value = best.token, best.shares[self.seat]
        alone = self.state.players == 1
        points = counted("about {count} point", "about {count} points", round(value * 100))
        worth = points if alone else f"{value:.0%} to win"
        text = f"{token}: {view.label(token)} ({worth})"
        self.talk.say("hint", text, token=token, value=round(value, 4))

    def _why(self, token: str) -> None:
        if not token:
            raise OptionError("expected a move: why MOVE")
        reason = self.state.view(self.seat).why(token)
        self.talk.say("why", f"{token}: {reason}." if reason else f"{token} is legal.")

    def _log(self) -> None:
        shown = story(self.state, self.seat, self.names)
        self.talk.say("log", "\n".join(shown) or "Nothing has happened yet.")


def _is_command(word: str) -> bool:
    return word in {"help", "?", "moves", "board", "hint", "undo", "why", "rules", "log", "save"}


def story(state: State, seat: int | None, names: Sequence[str]) -> list[str]:
    """The match so far in sentences: as a seat saw it, or (None) with nothing hidden."""
    states = list(state.record.states())
    sentences = [
        sentence(states[i], states[i + 1], actor, token, seat, names)
        for i, (actor, token) in enumerate(state.events)
    ]
    return [text for text in sentences if text]


def sentence(
    before: State, after: State, actor: int, token: str, seat: int | None, names: Sequence[str]
) -> str:
    """An event as a seat sees it, or (None) with nothing hidden; empty if it goes unnoticed."""
    known = seat is None or seat in before.witnesses(actor, token)
    action = before.game.vocabulary(before.options).ids(actor)[token] if known else -1
    was, now = (s.fields if seat is None else s.view(seat).fields for s in (before, after))
    return before.game.words.tell(was, now, actor, action, names)


def choose_game(games: Sequence[Game], talk: Talk, lines: TextIO) -> tuple[Game, int] | None:
    """A menu of games and player counts; None when the person leaves."""
    talk.say("menu", "Droptable. Which game?")
    for number, game in enumerate(games, 1):
        talk.say("menu", f"{number:>3}  {game.title} ({game.players_text}): {game.summary}")
    by_name = {game.name: game for game in games}
    by_name |= {str(number): game for number, game in enumerate(games, 1)}
    game = _ask_one_of(by_name, "Game> ", talk, lines)
    if game is None:
        return None
    counts = {str(count): count for count in game.players}
    if len(counts) == 1:
        return game, game.players[0]
    talk.say("menu", f"How many players, you among them? {', '.join(counts)}")
    players = _ask_one_of(counts, "Players> ", talk, lines)
    return None if players is None else (game, players)


def _ask_one_of(answers: dict[str, Any], prompt: str, talk: Talk, lines: TextIO) -> Any:
    while True:
        talk.prompt(prompt)
        line = lines.readline()
        word = line.strip().lower()
        if not line or word == "quit":
            return None
        if word in answers:
            return answers[word]
        talk.say("error", f"{word!r} is not possible; expected {', '.join(answers)} or quit")
