"""A puzzle as its solver sees it: the board to play on, the reply, and the best line played out.

All of it is made from the view of the puzzle's seat. What follows a move is shown in a world that
looks the same to that seat, so a reply cannot tell what was hidden in the match either.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from droptable.bots.coach import judge
from droptable.bots.explanations import explain_turns, turn_label
from droptable.bots.played_turns import PlayedTurn, after
from droptable.bots.precompile import bots_ready
from droptable.bots.puzzles import DIFFICULTIES, GOALS, THEMES, Puzzle
from droptable.bots.search import search
from droptable.bots.turn_values import Effort, compare
from droptable.core.errors import DroptableError
from droptable.core.language import _, speaking
from droptable.core.lessons import NAMES
from droptable.core.scene import Frame, Step
from droptable.core.state import View
from droptable.tables.rejected import Rejected
from droptable.web.chronicle import step_of
from droptable.web.pictures import moves, picture, refusal, shortcuts

EFFORT = Effort(seconds=0.3)  # of a search that judges such an answer
KEPT = 16  # boards, by each process


class PuzzleBoard:
    """One puzzle, unfolded."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        state = puzzle.state()
        self.view: View = state.view(puzzle.seat)
        states = list(state.record.states())
        self._steps = [
            step_of(before, now, event, puzzle.seat)
            for before, now, event in zip(states, states[1:], state.record.events, strict=False)
        ]
        self.names = NAMES[: puzzle.players]

    def about(self, *, tall: bool) -> dict[str, Any]:
        """The position as a client gets it: without the answer."""
        puzzle, frame = self.puzzle, self._frame(tall=tall)
        return {
            "game": puzzle.game,
            "title": self.view.game.title,
            "theme": _(THEMES[puzzle.theme]),
            "goal": _(GOALS[puzzle.goal]),
            "difficulty": _(DIFFICULTIES[puzzle.difficulty]),
            "legal": moves(self.view, frame),
            "picture": picture(self.view, frame) | shortcuts(self.view, frame),
        }

    def check(self, tokens: Sequence[str]) -> None:
        """`Rejected` unless these moves can be made one after the other."""
        for number, token in enumerate(tokens):
            here = after(self.view, tokens[:number])
            if self.puzzle.seat not in here.to_act:
                raise Rejected("illegal", _("the turn is over before {move}").format(move=token))
            try:
                here.apply(self.puzzle.seat, token)
            except DroptableError as error:
                raise Rejected("illegal", str(error), getattr(error, "rule", None)) from None

    def reply(self, tokens: Sequence[str], *, right: bool, own: bool, tall: bool) -> dict[str, Any]:
        """What the best move is and why, and the moments of its line; `own` is a mistake of the
        solver's."""
        best, made = self.puzzle.line[:1], tuple(tokens[:1])
        if right:
            best = made
        return {
            "right": right,
            "made": turn_label(self.view, made, self.names),
            "best": turn_label(self.view, best, self.names),
            "why": "" if right else explain_turns(self.view, made, best, self.names),
            "worth": self._worth(own=own),
            "line": self._line(tall=tall),
            "guessed": self._reveals(),
        }

    def judge(self, tokens: Sequence[str]) -> bool:
        """Whether a move is about as good as the best one, where that need not be the only one: by
        the coach, if another one than the best was made."""
        puzzle, token = self.puzzle, tokens[0]
        if puzzle.solved_by(token):
            return True
        if token == puzzle.rival or not bots_ready(self.view.game):
            return False
        made = search(self.view, seconds=EFFORT.seconds, seed=0, cores=1, only=[token]).turn
        turn = PlayedTurn(puzzle.seat, tuple(range(len(made))), made, self.view)
        found = compare(turn, EFFORT, seed=0)
        return not judge(found, puzzle.seat, puzzle.players)[2]

    def _worth(self, *, own: bool) -> str:
        """What the best move and the other one are worth, in a sentence."""
        values = {
            "best": round(100 * self.puzzle.share),
            "other": round(100 * self.puzzle.rival_share),
        }
        if self.puzzle.players > 1:
            text = _("The best move wins {best} % of the matches; any other, {other} % at most.")
            if own:
                text = _("The best move wins {best} % of the matches; what you did, {other} %.")
        else:
            text = _("The best move scores about {best}; any other, {other} at most.")
            if own:
                text = _("The best move scores about {best}; what you did, {other}.")
        return text.format(**values)

    def _line(self, *, tall: bool) -> list[dict[str, Any]]:
        seat, made, shown = self.puzzle.seat, list[Step](), []
        world = after(self.view, ())
        for token in self.puzzle.line:
            before, world = world, world.copy()
            world.apply(seat, token)
            step = step_of(before, world, (seat, token), seat)
            made.append(step)
            now = world.view(seat)
            tell = now.game.words.tell
            text = tell(step.before, step.after, seat, step.action, self.names)
            drawn = picture(now, self._frame(made, tall=tall))
            shown.append({"text": text, "svg": drawn["svg"]})
        return shown

    def _reveals(self) -> bool:
        """Whether the line shows something that the seat could not know: it is a guess here."""
        one, other = (after(self.view, self.puzzle.line, world) for world in range(2))
        return one.view(self.puzzle.seat) != other.view(self.puzzle.seat)

    def _frame(self, made: Sequence[Step] = (), *, tall: bool) -> Frame:
        return Frame(self.names, tall, steps=[*self._steps, *made])


# -- in a process of the crew ---------------------------------------------------------------------


def shown(packed: bytes, language: str, tall: bool) -> bytes:
    """The position."""
    with speaking(language):
        return msgspec.json.encode(_board(packed).about(tall=tall))


def reason(packed: bytes, language: str, touched: Sequence[str]) -> str | None:
    """Why these touches make no move."""
    with speaking(language):
        return refusal(_board(packed).view, touched)


def answered(
    packed: bytes, language: str, tokens: Sequence[str], own: bool, tall: bool
) -> tuple[bool, bytes]:
    """Whether an answer is right, and the reply to it."""
    with speaking(language):
        board = _board(packed)
        board.check(tokens)
        right = board.judge(tokens) if own else board.puzzle.solved_by(tokens[0])
        return right, msgspec.json.encode(board.reply(tokens, right=right, own=own, tall=tall))


@lru_cache(KEPT)
def _board(packed: bytes) -> PuzzleBoard:
    return PuzzleBoard(msgspec.json.decode(packed, type=Puzzle))
