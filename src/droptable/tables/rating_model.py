"""How strong somebody is at a game, and how often they win: Plackett and Luce's model.

Of a match only who came first counts; the others are not ranked among each other. A victory that
is shared is a tie. Strengths are log odds with the fewest players: `normal` bots have 0. With more
players the same strengths lead to other odds; `anchors.json`, made by `lab/anchors.py`, has the
scale for each player count, and the strength of each bot, which is fixed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path

import msgspec
from msgspec import Struct
from openskill.models import PlackettLuce, PlackettLuceRating

from droptable.core.errors import UnknownGame
from droptable.core.game import Game
from droptable.games import game as find_game

FILE = "anchors.json"
NORMAL = "normal"  # the bot whose strength is 0
ALIKE = {"greedy": NORMAL}  # bots that play as another one does
SIGMA = 1.5  # uncertainty about a newcomer, where bots were not measured
DRIFT = 0.01  # of that uncertainty: how much a strength may change from match to match
ELO = 400 / math.log(10)  # of a log odd, as numbers for people
SHOWN = 1500  # the number of a `normal` bot


class Skill(Struct, frozen=True):
    """What is known of somebody's strength: the mean and the standard deviation."""

    mu: float
    sigma: float

    @property
    def number(self) -> int:
        """The strength as people read it."""
        return round(SHOWN + ELO * self.mu)

    def towards(self, other: Skill, share: float) -> Skill:
        """What lies between this and another one."""
        mu = self.mu + share * (other.mu - self.mu)
        return Skill(mu, self.sigma + share * (other.sigma - self.sigma))

    @property
    def uncertainty(self) -> int:
        """Two standard deviations, in the same units."""
        return round(2 * ELO * self.sigma)


class Strengths(Struct, frozen=True):
    """The bots at one player count; `scale` turns strengths into log odds."""

    scale: float
    levels: dict[str, Skill]


class Anchors(Struct, frozen=True):
    """The bots of a game."""

    matches: int
    sigma: float  # uncertainty about a newcomer
    players: dict[int, Strengths]
    calibration: float = 1.0  # how far apart chances are, in relation to what the model says


class RatingModel:
    """The model of one game."""

    def __init__(self, anchors: Anchors | None = None) -> None:
        self._anchors = anchors

    @cached_property
    def newcomer(self) -> Skill:
        """What is known of somebody who has not played yet."""
        return Skill(0.0, SIGMA if self._anchors is None else self._anchors.sigma)

    @property
    def calibration(self) -> float:
        """How far apart chances are, in relation to what the model says."""
        return 1.0 if self._anchors is None else self._anchors.calibration

    def bot(self, bot: str, players: int) -> Skill | None:
        """The strength of a bot, as it was measured; None if it was not."""
        strengths = None if self._anchors is None else self._anchors.players.get(players)
        return None if strengths is None else strengths.levels.get(ALIKE.get(bot, bot))

    def predict(self, seats: Sequence[Sequence[Skill]]) -> list[float]:
        """Each seat's chance of the victory (a shared one counts as a share).

        The library's own prediction is a mean over pairs: of three seats, none could ever have
        more than two thirds.
        """
        teams = [_team(seat) for seat in seats]
        odds = _odds(teams, self._spread(teams) / self.calibration)
        return [one / sum(odds) for one in odds]

    def rate(self, seats: Sequence[Sequence[Skill]], winners: Sequence[int]) -> list[list[Skill]]:
        """What is known of everybody after a match. People who share a seat are as strong as they
        are on average.

        The others are, for each seat, one opponent that wins as often as all of them together, so
        those who did not win are not compared with each other. A share of the victory of less than
        a half is as far from a defeat as that from a tie.
        """
        library, teams = self.library(len(seats)), [_team(seat) for seat in seats]
        spread = self._spread(teams)
        odds = _odds(teams, spread)
        highest = max(team.mu for team in teams)
        share = 1 / len(winners)
        after = []
        for number, seat in enumerate(seats):
            others = [one for one in range(len(seats)) if one != number]
            mu = highest + spread * math.log(sum(odds[one] for one in others))
            variance = sum(teams[one].sigma ** 2 for one in others)
            variance += (len(seats) - 2) * library.beta**2
            field = library.rating(mu, math.sqrt(variance))
            mine = [library.rating(one.mu / len(seat), one.sigma / len(seat)) for one in seat]
            won = share if number in winners else 0.0
            if won == 1:
                after.append(_skills(library.rate([mine, [field]], ranks=[0, 1])[0]))
                continue
            lost = _skills(library.rate([mine, [field]], ranks=[1, 0])[0])
            tied = _skills(library.rate([mine, [field]], ranks=[1, 1])[0])
            after.append([a.towards(b, 2 * won) for a, b in zip(lost, tied, strict=True)])
        return after

    def _spread(self, teams: Sequence[Skill]) -> float:
        """By how much strengths differ that differ by one log odd, at this table."""
        beta = self.library(len(teams)).beta
        return math.sqrt(sum(team.sigma**2 + beta**2 for team in teams))

    @cache  # noqa: B019  (models live as long as the program)
    def library(self, players: int) -> PlackettLuce:
        """The library's model of matches with so many players."""
        strengths = None if self._anchors is None else self._anchors.players.get(players)
        scale = 1.0 if strengths is None else strengths.scale
        sigma = self.newcomer.sigma
        beta = 1 / (scale * math.sqrt(players))
        drift = DRIFT * sigma
        return PlackettLuce(mu=0.0, sigma=sigma, beta=beta, tau=drift, gamma=_as_learned)


def _as_learned(*_match: object) -> float:
    """Let a match make a rating as certain as it should; by default the library learns less."""
    return 1.0


def _team(seat: Sequence[Skill]) -> Skill:
    """People who share a seat, as one."""
    variance = sum(skill.sigma**2 for skill in seat)
    return Skill(sum(skill.mu for skill in seat) / len(seat), math.sqrt(variance) / len(seat))


def _odds(teams: Sequence[Skill], spread: float) -> list[float]:
    """How often teams win, in relation to the strongest one."""
    highest = max(team.mu for team in teams)
    return [math.exp((team.mu - highest) / spread) for team in teams]


def _skills(team: Sequence[PlackettLuceRating]) -> list[Skill]:
    """What the library says of people who share a seat: it adds where we take the mean."""
    return [Skill(one.mu * len(team), one.sigma * len(team)) for one in team]


@cache
def model_of(game: str) -> RatingModel:
    """The model of a game; one of an unknown game, or without measured bots, knows people only."""
    try:
        file = anchors_file(find_game(game))
    except UnknownGame:
        file = None
    if file is None or not file.is_file():
        return RatingModel()
    return RatingModel(msgspec.json.decode(file.read_bytes(), type=Anchors))


def anchors_file(game: Game) -> Path | None:
    """Where the strengths of a game's bots are, beside the match that it shows."""
    return None if game.showcase is None else game.showcase.with_name(FILE)
