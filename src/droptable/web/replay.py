"""Replays: every moment of a match, from a seat's view or with everything open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from html import escape
from typing import Any

from droptable.bots.coach import Decision
from droptable.bots.explanations import explanation, turn_label
from droptable.core.contract import DEALER
from droptable.core.errors import DroptableError
from droptable.core.film import Film, gif
from droptable.core.language import _
from droptable.core.plain_variant import described
from droptable.core.raster import standalone
from droptable.core.record import Record
from droptable.core.scene import BUTTON, Frame, Step
from droptable.core.state import State, View
from droptable.core.verify import deals, verify
from droptable.tables.rejected import Rejected
from droptable.tables.settings import tidy
from droptable.web.chronicle import Viewer, events_of, step_of, turns_of
from droptable.web.pictures import Look, frame_of, picture

LONGEST_NAME = 40
MOST_OUTCOMES = 50_000  # of all deals together, that are sent to be checked elsewhere
MOST_FRAMES = 120  # of an animation: two minutes
FRAME_WIDTH = 480  # pixels
FRAME_MS, LAST_MS = 900, 4000


class Replay:
    """A verified record with the state after each of its events."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.game = record.game
        self._images: list[bytes] = []
        self._secrets = False  # whether anything was ever hidden from anybody
        for state in record.states():
            self._images.append(bytes(state))
            self._secrets = self._secrets or bytes(state.view(None)) != self._images[-1]
        self._movers = _movers(record)
        self._seen_steps: dict[Viewer, list[Step]] = {}

    @property
    def names(self) -> list[str]:
        """Of the seats: from the record, else by their numbers."""
        given = [tidy(self.record.info.get(f"seat {s}", "")) for s in range(self.record.players)]
        default = _("Seat {number}")
        return [
            name[:LONGEST_NAME] or default.format(number=seat + 1)
            for seat, name in enumerate(given)
        ]

    @property
    def length(self) -> int:
        """How many events there are."""
        return len(self.record.events)

    def about(
        self, viewer: Viewer, verdict: str = "", more: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The whole match in facts and sentences, as the viewer saw it.

        `verdict` replaces that of the rules; `more` is added.
        """
        self._check(viewer)
        final, varied = self.record.final, self.game.plain_only
        return {
            "game": self.game.base.name if varied and self.game.base else self.game.name,
            "variant": described(self.game.constants) if varied else None,
            "title": tidy(self.record.info.get("title", ""))[:LONGEST_NAME] or self.game.title,
            "players": self.record.players,
            "names": self.names,
            "options": self.record.options,
            "length": self.length,
            "over": final.over,
            "scores": final.scores,
            "winners": final.winners,
            "verdict": verdict or self._result(final),
            **self.story(viewer),
            **(more or {}),
        }

    def verified(self, commitment: str, contribution: str) -> dict[str, Any]:
        """Whether the match was dealt fairly, and all that somebody else needs to check it."""
        finding = verify(self.record, commitment=commitment, contribution=contribution)
        checkable = list(deals(self.record)) if finding.fair else []
        few = sum(len(deal.outcomes) for deal in checkable) <= MOST_OUTCOMES
        listed = [asdict(deal) for deal in checkable] if few else None
        return asdict(finding) | {"fairness": self.record.fairness, "deals": listed}

    def story(self, viewer: Viewer) -> dict[str, Any]:
        """Each event in a sentence, and the turns, deals and rolls in a line each."""
        steps = self._steps(viewer)
        scores = [self.state(at).scores for at in range(self.length + 1)]
        return {
            "events": events_of(steps, self.record, self.names),
            "turns": turns_of(steps, scores, self.game, self.names),
        }

    def _steps(self, viewer: Viewer) -> list[Step]:
        """All events as the viewer saw them."""
        if viewer not in self._seen_steps:
            states = [self.state(at) for at in range(self.length + 1)]
            self._seen_steps[viewer] = [
                step_of(before, after, event, viewer)
                for before, after, event in zip(
                    states, states[1:], self.record.events, strict=False
                )
            ]
        return self._seen_steps[viewer]

    def state(self, at: int) -> State:
        """The state after so many events."""
        if not 0 <= at <= self.length:
            missing = _("there is no moment {at}; expected 0 to {last}")
            raise Rejected("syntax", missing.format(at=at, last=self.length))
        return self.game.load(self._images[at])

    def view(self, at: int, viewer: Viewer, focus: int | None = None) -> View:
        """What is seen at a moment. With everything open that is the whole state, from the seat in
        `focus`, or in a game with secrets from the seat that matters now."""
        self._check(viewer)
        state = self.state(at)
        seat = focus if focus is None or focus < state.players else None
        if seat is None and self._secrets:
            seat = self._seat_at(state, at)
        return self._seen(state, viewer, seat)

    def scene(self, at: int, viewer: Viewer, look: Look, show: str | None = None) -> dict[str, Any]:
        """The picture of a moment and the scores; with the ghost of a legal move to `show`."""
        view = self.view(at, viewer, look.focus)
        look = self._focused(look, at, viewer)
        ghost = self._ghost(view, at, show, self._frame(view, viewer, look))
        return {"at": at} | self._moment(view, viewer, look) | {"ghost": ghost}

    def picture(self, at: int, viewer: Viewer, look: Look, *, dark: bool = False) -> str:
        """A moment as an SVG file."""
        return standalone(self._drawn(at, viewer, look), dark=dark)

    def animation(self, viewer: Viewer, *, dark: bool = False) -> bytes:
        """The match as a GIF: a frame per move, or for some of them if there are too many."""
        self._check(viewer)
        moves = [i + 1 for i, (actor, _) in enumerate(self.record.events) if actor != DEALER]
        moments = sorted({0, *moves, self.length})
        if len(moments) > MOST_FRAMES:
            step = (len(moments) - 1) / (MOST_FRAMES - 1)
            moments = [moments[round(i * step)] for i in range(MOST_FRAMES)]
        drawn = [self._drawn(at, viewer, Look("tall")) for at in moments]
        frames = Film(FRAME_WIDTH, dark=dark).frames(drawn)
        news = [frame for i, frame in enumerate(frames) if i == 0 or frame is not frames[i - 1]]
        times = [FRAME_MS] * (len(news) - 1) + [LAST_MS]
        return gif(news, times, dark=dark)

    def line(
        self, at: int, viewer: Viewer, look: Look, tokens: Sequence[str]
    ) -> list[dict[str, Any]]:
        """The moments of a turn that was not made, each with a sentence."""
        self._check(viewer)
        state = self.state(at)
        seat = self.record.events[at][0] if at < self.length else DEALER
        if seat == DEALER:
            raise Rejected("illegal", _("nobody moves at moment {at}").format(at=at))
        moments: list[dict[str, Any]] = []
        made: list[Step] = []
        for token in tokens:
            before, state = state, state.copy()
            try:
                state.apply(seat, token)
            except DroptableError as error:
                raise Rejected("illegal", str(error), getattr(error, "rule", None)) from error
            step = step_of(before, state, (seat, token), viewer)
            text = self.game.words.tell(
                step.before, step.after, step.actor, step.action, self.names
            )
            shown = look if viewer is not None else replace(look, focus=seat)
            view = self._seen(state, viewer, seat if self._secrets else None)
            made.append(step)
            moments.append(self._moment(view, viewer, shown, made) | {"text": text})
        return moments

    def judged(self, decision: Decision) -> dict[str, Any]:
        """A turn as the coach judges it, in words and as touches on the picture."""
        view = self.state(decision.event).view(decision.seat)
        return {
            "event": decision.event, "seat": decision.seat, "mark": decision.mark,
            "loss": round(decision.loss, 4), "before": _rounded(decision.before),
            "after": _rounded(decision.after), "until": decision.events[-1] + 1,
            "accuracy": decision.accuracy and round(decision.accuracy, 1),
            "made": self._move(view, decision.turn), "best": self._move(view, decision.line),
            "line": decision.line,
            "why": explanation(view, decision, self.names) if decision.mark else "",
        }  # fmt: skip

    # -- parts ------------------------------------------------------------------------------------

    def _moment(
        self, view: View, viewer: Viewer, look: Look, made: Sequence[Step] = ()
    ) -> dict[str, Any]:
        """A picture and what stands beside it; `made` are moves that the match does not have."""
        moment = {"seat": view.seat, "scores": view.scores, "to_act": view.to_act}
        frame = self._frame(view, viewer, look, made)
        if frame is None:
            return moment | {"picture": None}
        shown = picture(view, frame) | {"switches": {}}
        shown["svg"] = self._nobody_is_you(shown["svg"], view.seat)
        return moment | {"picture": shown}

    def _seen(self, state: State, viewer: Viewer, focus: int | None) -> View:
        if viewer is not None:
            return state.view(viewer)
        return View(state.game, state.players, state.options, state.array, focus)

    def _frame(
        self, view: View, viewer: Viewer, look: Look, made: Sequence[Step] = ()
    ) -> Frame | None:
        frame = frame_of(view, self.names, look)
        steps = [*self._steps(viewer), *made]
        return frame and replace(frame, open=viewer is None, steps=steps)

    def _drawn(self, at: int, viewer: Viewer, look: Look) -> str:
        shown = self.scene(at, viewer, look)["picture"]
        if shown is None:
            raise Rejected("illegal", _("{game} has no pictures").format(game=self.game.title))
        return str(shown["svg"])

    def _check(self, viewer: Viewer) -> None:
        if viewer is not None and not 0 <= viewer < self.record.players:
            missing = _("there is no seat {seat}; expected 0 to {last}")
            raise Rejected("syntax", missing.format(seat=viewer, last=self.record.players - 1))

    def _seat_at(self, state: State, at: int) -> int:
        """The seat that moves next; while all act at once, the one that has just done so."""
        last = [actor for actor, _ in self.record.events[max(0, at - 1) : at] if actor != DEALER]
        return last[0] if last and len(state.to_act) > 1 else self._movers[at]

    def _focused(self, look: Look, at: int, viewer: Viewer) -> Look:
        """A look at the seat that matters now, unless another one is asked for."""
        if viewer is not None or look.focus is not None:
            return look
        return replace(look, focus=self._seat_at(self.state(at), at))

    def _result(self, final: State) -> str:
        if not final.over:
            return _("This match was not played to its end.")
        return self.game.words.verdict(final.view(None).fields, self.names)

    def _ghost(self, view: View, at: int, token: str | None, frame: Frame | None) -> str | None:
        """What a move would do, if the picture shows enough of the seat that could make it."""
        scene, seat = self.game.scene, self._movers[at]
        if scene is None or frame is None or at == self.length:
            return None
        if self.record.events[at][0] != seat or (self._secrets and view.seat != seat):
            return None
        action = self.game.vocabulary(self.record.options).action_ids.get(token or "", -1)
        if action not in view.legal_ids(seat):
            return None
        ghost = scene.ghost(view.fields, seat, action, frame)
        return None if ghost is None else str(ghost)

    def _move(self, view: View, tokens: Sequence[str]) -> dict[str, Any]:
        """A turn in words, and its first move as touches."""
        token = tokens[0]
        path: Sequence[Any] = (BUTTON + token,)
        if self.game.scene is not None and view.seat is not None:
            action = self.game.vocabulary(self.record.options).action_ids[token]
            path = self.game.scene.path(view.fields, view.seat, action)
        return {"token": token, "label": turn_label(view, tokens, self.names), "path": path}

    def _nobody_is_you(self, svg: str, seat: int | None) -> str:
        """Scenes call their viewer "you", but whoever watches a replay sits nowhere."""
        if seat is None:
            return svg
        name = self.names[seat]
        you = _("{name} (you)").format(name=name)
        return svg.replace(escape(you, quote=False), escape(name, quote=False))


def _movers(record: Record) -> list[int]:
    """For each moment, the seat that moves next; at the end, the one that moved last."""
    seats = [actor for actor, _ in record.events if actor != DEALER]
    mover = seats[-1] if seats else 0
    movers = [mover]
    for actor, _token in reversed(record.events):
        mover = mover if actor == DEALER else actor
        movers.append(mover)
    return movers[::-1]


def _rounded(shares: Sequence[float]) -> list[float]:
    return [round(share, 4) for share in shares]
