"""How strong are language models? Matches against bots of known strength, rated from their records.

`python benchmarks/llm_leaderboard.py play FOLDER --model NAME=SPEC --games drop-or-pop depot` lets
models play and writes a record for each match; what is there already is not played again. SPEC is
`module:function` or `file.py:function`, a function from chat messages to a text, such as
`examples/chat_model.py:model`. Each deal is played from every seat against every bot (`--against`).

`python benchmarks/llm_leaderboard.py rate FOLDER` reads nothing but the records, checks every move
of them by the rules, and prints each model's Elo per game and overall, on the scale of the ratings
of people (`normal` bots have 1500 everywhere; docs/ratings.md), with 95 % intervals over deals, its
share of victories, and how often its answers were refused.
"""

import argparse
import json
import math
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import droptable
from droptable.bots.own import load_object
from droptable.core.errors import DroptableError
from droptable.core.record import Record
from droptable.envs.chat import ChatMatch, Message
from droptable.tables.rating_model import ELO, SHOWN, model_of

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
AGAINST = ("random", "easy", "normal")  # at once, the same everywhere
RESAMPLES = 400
Z = 1.96
STEPS, CLOSE = 30, 1e-6  # of Newton's method: at most so many, and when it is close enough
Model = Callable[[list[Message]], str]


# -- playing --------------------------------------------------------------------------------------


def load_models(words: Iterable[str]) -> dict[str, Model]:
    """The models that words like `NAME=SPEC` name."""
    models = {}
    for word in words:
        name, _, spec = word.partition("=")
        if not NAME.fullmatch(name) or ":" not in spec:
            sys.exit(f"--model is {word!r}; expected NAME=file.py:function or NAME=module:function")
        models[name] = load_object(spec)
    return models


def play(folder: Path, models: dict[str, Model], games: Sequence[str], against: Sequence[str],
         deals: int, players: int | None = None) -> int:  # fmt: skip
    """Play what is missing; how many matches failed, as their model did."""
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name, model in models.items():
        for game in map(droptable.game, games):
            count = players or next(n for n in game.players if n > 1)
            for deal in range(deals):
                for bot in against:
                    for seat in range(count):
                        file = folder / f"{name}.{game.name}.{count}.{bot}.{deal}.{seat}.json"
                        if not file.exists():
                            failed += not play_one(file, name, model, game, count, bot, deal, seat)
    return failed


def play_one(file, name, model, game, players, bot, deal, seat) -> bool:
    """One match and its record; False if the model raised, which is no defeat: try again later."""
    names = [bot] * players
    names[seat] = name
    match = ChatMatch(game, players, seed=deal, opponents=bot, model_seat=seat, names=names)
    try:
        while match.seat is not None:
            match.answer(seat, model(match.messages(seat)))
    except Exception as error:  # whatever somebody's code may raise
        print(f"{file.name}: {type(error).__name__}: {error}", file=sys.stderr)
        return False
    record = match.outcome.record
    told = {"deal": str(deal), "model": name, "answers": str(len(match.decisions))}
    record.info.update(told)
    part = file.with_suffix(".part")
    record.save(part)
    part.replace(file)
    return True


# -- rating ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """What counts of a record."""

    game: str
    players: int
    deal: str
    names: tuple[str, ...]  # by seat
    shares: tuple[float, ...]  # of the victory
    answers: Counter[str]  # by model: all, refused and replaced ones


def read_folder(folder: Path) -> list[Played]:
    """All records of a folder; one that breaks a rule ends the work."""
    played = []
    for file in sorted(folder.glob("*.json")):
        try:
            record = droptable.open_record(file)
        except DroptableError as error:
            sys.exit(f"{file}: {error}")
        if not record.final.over:
            sys.exit(f"{file}: the match is not over")
        played.append(of_record(record))
    return played


def of_record(record: Record) -> Played:
    """The names, the result that follows from the moves, and the counts of a record."""
    info, final = record.info, record.final
    names = tuple(info.get(f"seat {seat}", "") for seat in range(record.players))
    won = final.winners
    shares = tuple((seat in won) / len(won) for seat in range(record.players))
    model = info.get("model", "")
    answers = Counter({f"{model} answers": int(info.get("answers", 0))})
    for kind in ("refused", "replaced"):
        for seat, name in enumerate(names):
            answers[f"{name} {kind}"] += int(info.get(f"{kind} of seat {seat}", 0))
    deal = info.get("deal", "0")
    return Played(record.game.name, record.players, deal, names, shares, answers)


class Strengths:
    """The models of one game, as log odds, by maximum likelihood: Plackett and Luce's model, in
    which the bots' strengths are fixed. A drawn match against `normal` keeps them finite."""

    def __init__(self, matches: Sequence[Played]) -> None:
        model = model_of(matches[0].game)
        known = {(m.players, name): model.bot(name, m.players) for m in matches for name in m.names}
        self.names = sorted({name for (_, name), skill in known.items() if skill is None})
        place = {name: number for number, name in enumerate(self.names)}
        seats = max(match.players for match in matches)
        shape = len(matches), seats
        self._unknown = np.zeros((*shape, len(self.names)))
        self._fixed = np.full(shape, -np.inf)
        self._shares = np.zeros(shape)
        self._scale = np.ones((len(matches), 1))
        for row, match in enumerate(matches):
            beta = model.library(match.players).beta
            self._scale[row] = model.calibration / (beta * math.sqrt(match.players))
            for seat, name in enumerate(match.names):
                self._shares[row, seat] = match.shares[seat]
                skill = known[match.players, name]
                self._fixed[row, seat] = 0.0 if skill is None else skill.mu
                if skill is None:
                    self._unknown[row, seat, place[name]] = 1.0

    def fit(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The strengths, if each match counts so many times, and their standard errors."""
        theta = np.zeros(len(self.names))
        for _ in range(STEPS):
            chance, mine = self._chances(theta)
            scaled = weights[:, None] * self._scale
            slope = np.einsum("ms,msk->k", scaled * (self._shares - chance), self._unknown)
            mean = np.einsum("ms,msk->mk", chance, self._unknown)
            curve = np.einsum("ms,msk,msl->kl", scaled * self._scale * chance, *[self._unknown] * 2)
            curve -= np.einsum("m,mk,ml->kl", (scaled * self._scale)[:, 0], mean, mean)
            slope += 0.5 - mine
            curve += np.diag(mine * (1 - mine))
            step = np.clip(np.linalg.solve(curve, slope), -1.0, 1.0)
            theta = theta + step
            if np.abs(step).max() < CLOSE:
                break
        return theta, np.sqrt(np.diag(np.linalg.inv(curve)))

    def _chances(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of each seat to win its match, and of each model to win against `normal`."""
        logits = self._scale * (self._fixed + self._unknown @ theta)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True), 1 / (1 + np.exp(-theta))


@dataclass(frozen=True)
class Line:
    """A model at a game, or overall (the mean of its games)."""

    model: str
    game: str
    matches: int
    elo: float
    low: float  # 95 % interval, over deals
    high: float
    share: float  # of the victories
    refused: float  # answers, per answer
    replaced: int  # decisions


def leaderboard(played: Sequence[Played], seed: int = 0) -> list[Line]:
    """Every model at every game, and overall, best first."""
    chance, lines = np.random.default_rng(seed), []
    samples: dict[str, list[np.ndarray]] = {}  # of each model's strengths, by game
    variances: dict[str, list[float]] = {}
    for game in sorted({match.game for match in played}):
        matches = [match for match in played if match.game == game]
        strengths = Strengths(matches)
        best, errors = strengths.fit(np.ones(len(matches)))
        tries = resampled(strengths, matches, chance)
        for number, name in enumerate(strengths.names):
            samples.setdefault(name, []).append(np.array([best[number], *tries[:, number]]))
            variances.setdefault(name, []).append(errors[number] ** 2)
            lines.append(line_of(name, game, matches, samples[name][-1], errors[number]))
    for name, games in samples.items():
        if len(games) > 1:
            error = math.sqrt(sum(variances[name])) / len(games)
            lines.append(line_of(name, "overall", played, np.mean(games, axis=0), error))
    return sorted(lines, key=lambda line: (line.game != "overall", line.game, -line.elo))


def resampled(strengths: Strengths, matches: Sequence[Played], chance) -> np.ndarray:
    """Strengths from deals that are drawn anew: matches of one deal are alike."""
    deals = sorted({match.deal for match in matches})
    row = np.array([deals.index(match.deal) for match in matches])
    counts = chance.multinomial(len(deals), [1 / len(deals)] * len(deals), RESAMPLES)
    return np.array([strengths.fit(count[row].astype(float))[0] for count in counts])


def line_of(
    name: str, game: str, matches: Sequence[Played], samples: np.ndarray, error: float
) -> Line:
    """A model's line; the first sample is that of all matches as they are. Its interval is the
    wider one of two: over deals, and, where all deals went the same way, by the likelihood."""
    mine = [m for m in matches if name in m.names]
    shares = [m.shares[s] for m in mine for s, seat in enumerate(m.names) if seat == name]
    answers = sum((m.answers for m in mine), Counter())
    said = answers[f"{name} answers"] or 1
    value, (low, high) = samples[0], np.quantile(samples[1:], (0.025, 0.975))
    bounds = value, min(low, value - Z * error), max(high, value + Z * error)
    elo, low, high = (SHOWN + ELO * bound for bound in bounds)
    return Line(name, game, len(mine), round(elo), round(low), round(high),
                sum(shares) / len(shares), answers[f"{name} refused"] / said,
                answers[f"{name} replaced"])  # fmt: skip


def printed(lines: Sequence[Line]) -> str:
    """The table."""
    text = [f"{'':<14}{'model':<24}{'Elo':>6}  {'95 %':<14}{'wins':>6}{'matches':>9}{'refused':>9}"]
    for line in lines:
        text.append(
            f"{line.game:<14}{line.model:<24}{line.elo:>6}  {f'{line.low} to {line.high}':<14}"
            f"{line.share:>6.0%}{line.matches:>9}{line.refused:>9.1%}"
        )
    return "\n".join(text)


def main() -> int:
    """Play or rate."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play")
    playing.add_argument("folder", type=Path)
    playing.add_argument("--model", action="append", required=True, metavar="NAME=SPEC")
    playing.add_argument("--games", nargs="+", default=[game.name for game in droptable.games()])
    playing.add_argument("--against", nargs="+", default=AGAINST, metavar="BOT")
    playing.add_argument("--deals", type=int, default=10)
    playing.add_argument("--players", type=int)
    rating = commands.add_parser("rate")
    rating.add_argument("folder", type=Path)
    rating.add_argument("--json", action="store_true")
    given = parser.parse_args()
    random.seed(0)
    if given.command == "play":
        models = load_models(given.model)
        return 1 if play(given.folder, models, given.games, given.against, given.deals,
                         given.players) else 0  # fmt: skip
    played = read_folder(given.folder)
    if not played:
        sys.exit(f"{given.folder}: there are no records")
    lines = leaderboard(played)
    print(json.dumps([vars(line) for line in lines], indent=2) if given.json else printed(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
