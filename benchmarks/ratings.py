"""Are ratings right? Predicted against observed shares of victories, in every game.

`python benchmarks/ratings.py` invents people who make some of their moves at random and the others
greedily, so that their strength is known to nobody but stays the same. They begin as newcomers and
are rated by matches with each other and with bots, by the same code as on a server; then they play
on, unrated, and the chances that their ratings predict are compared with who wins. There are ten of
them in each of several clubs, since somebody's rating stays uncertain after hundreds of matches: in
one club alone that, and not the model, would decide how far predictions are off.

Prints for each game and player count: the mean distance of prediction and observation over tenths
of the predictions (each weighted with its seats), the largest one of a tenth with at least a
thousandth of all seats, and the mean distance of the library's own prediction. Exits 1 if a mean
is 2 % or more. Then, for newcomers who have played a few matches against bots, how far their rating
is from what it is in the end, and how often it is within the two deviations that profiles show.
"""

import argparse
import math
import random
import statistics
import sys
import time

import numpy as np

from droptable.bots.precompile import prepare
from droptable.games import game, games
from droptable.lab.anchors import QUICK, Mixed, noise_of
from droptable.tables.rating_model import model_of

NOISES = (0, 30, 70, 120, 180, 250, 350, 450, 600, 800)  # random ones of 1000 moves
GOAL = 0.02
SETTLED = 400  # matches of each, before ratings are taken for known
FEW = (5, 10, 20, 40)  # matches of newcomers
LIBRARY_ENOUGH = 20_000  # seats for which the library's slow prediction is asked


class Club:
    """People of a game at one player count."""

    def __init__(self, subject, players, seed):
        self.model = model_of(subject.name)
        self.players = players
        self.mixed = Mixed(subject, players, seed)
        self.chance = random.Random(seed)
        self.skills = [self.model.newcomer for _ in NOISES]
        self.bots = {name: noise_of(name, subject) for name in QUICK}

    def rate(self, matches):
        """Play and rate matches of people, with a bot at some seats."""
        for _ in range(matches):
            people = self.chance.sample(range(len(NOISES)), self.players)
            bots = {s for s in range(1, self.players) if self.chance.random() < 0.3}
            names = [self.chance.choice(QUICK) for _ in range(self.players)]
            noise = [
                self.bots[names[s]] if s in bots else NOISES[people[s]] for s in range(self.players)
            ]
            shares = self.mixed.play(noise)
            before = [
                [self.model.bot(names[s], self.players) if s in bots else self.skills[people[s]]]
                for s in range(self.players)
            ]
            winners = [s for s, share in enumerate(shares) if share]
            after = self.model.rate(before, winners)
            for s in range(self.players):
                if s not in bots:
                    self.skills[people[s]] = after[s][0]

    def compare(self, matches):
        """Predictions and observed shares of all seats of new matches."""
        seats, line_ups = [], []
        for _ in range(matches):
            people = self.chance.sample(range(len(NOISES)), self.players)
            line_ups.append([[self.skills[one]] for one in people])
            predicted = self.model.predict(line_ups[-1])
            observed = self.mixed.play([NOISES[one] for one in people])
            seats += zip(predicted, observed, strict=True)
        return np.array(seats), line_ups

    def newcomer(self, noise, matches):
        """The skill of somebody new after so many matches against bots."""
        skill = self.model.newcomer
        for _ in range(matches):
            names = [self.chance.choice(["easy", "normal"]) for _ in range(self.players - 1)]
            bots = [[self.model.bot(name, self.players)] for name in names]
            shares = self.mixed.play([noise, *(self.bots[name] for name in names)])
            winners = [s for s, share in enumerate(shares) if share]
            skill = self.model.rate([[skill], *bots], winners)[0][0]
        return skill


def distance(seats):
    """The mean and the largest distance over tenths of the predictions."""
    tenths = np.minimum((seats[:, 0] * 10).astype(int), 9)
    gaps, counts = [], []
    for tenth in range(10):
        own = seats[tenths == tenth]
        if len(own):
            gaps.append(abs(own[:, 0].mean() - own[:, 1].mean()))
            counts.append(len(own))
    large = [gap for gap, count in zip(gaps, counts, strict=True) if count >= len(seats) / 1000]
    return float(np.average(gaps, weights=counts)), max(large)


def plain_distance(club, seats, line_ups):
    """The same for the library's own prediction."""
    few = line_ups[: LIBRARY_ENOUGH // club.players]
    library = club.model.library(club.players)
    predicted = []
    for line_up in few:
        teams = [[library.rating(skill.mu, skill.sigma) for skill in seat] for seat in line_up]
        predicted += library.predict_win(teams)
    return distance(np.column_stack([predicted, seats[: len(predicted), 1]]))[0]


def few_matches(club, seconds):
    """For newcomers: by number of matches, mean distance in points, and share within two sigmas."""
    lines = []
    for matches in FEW:
        gaps, within, deadline = [], [], time.monotonic() + seconds / len(FEW)
        while time.monotonic() < deadline or len(gaps) < 5:
            one = club.chance.randrange(len(NOISES) - 2)
            skill = club.newcomer(NOISES[one], matches)
            gap = abs(skill.number - club.skills[one].number)
            gaps.append(gap)
            within.append(gap <= math.hypot(skill.uncertainty, club.skills[one].uncertainty))
        lines.append(
            f"{matches}: {statistics.fmean(gaps):.0f} points, {statistics.fmean(within):.0%} within"
        )
    return "; ".join(lines)


def compared(subject, players, matches, clubs, seed):
    """A settled club, and predictions and observed shares of some clubs, with their line-ups."""
    prepare(subject)
    seats, line_ups = [], []
    for number in range(clubs):
        club = Club(subject, players, seed + number)
        club.rate(SETTLED * len(NOISES) // players)
        own_seats, own_line_ups = club.compare(matches // clubs)
        seats.append(own_seats)
        line_ups += own_line_ups
    return club, np.concatenate(seats), line_ups


def measure(subject, players, matches, clubs):
    """One line of the table; whether the goal is reached."""
    club, seats, line_ups = compared(subject, players, matches, clubs, seed=7)
    mean, largest = distance(seats)
    plain = plain_distance(club, seats, line_ups)
    good = mean < GOAL
    print(
        f"{subject.name:<12} {players} players, {len(line_ups)} matches: {mean:.2%}, largest "
        f"{largest:.2%}; the library's own {plain:.2%}: {'good' if good else 'BAD'}",
        flush=True,
    )
    return club, good


def fitted(subject, players, matches, clubs):
    """The calibration with which predictions would be closest, from matches of their own."""
    club, seats, _line_ups = compared(subject, players, matches, clubs, seed=1000)
    chances = np.clip(seats[:, 0], 1e-6, 1 - 1e-6)
    logs = np.log(chances / (1 - chances))
    factors = np.arange(0.5, 1.55, 0.05)
    errors = [np.mean((seats[:, 1] - 1 / (1 + np.exp(-factor * logs))) ** 2) for factor in factors]
    best = factors[int(np.argmin(errors))] * club.model.calibration
    print(f"{subject.name:<12} {players} players: calibration {best:.2f}", flush=True)


def main():
    """Measure the chosen games."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", help="names of games; default: all")
    parser.add_argument("--matches", type=int, default=20_000, help="for each player count")
    parser.add_argument("--players", type=int, nargs="+", help="only so many; default: all counts")
    parser.add_argument("--clubs", type=int, default=8, help="of ten people each")
    parser.add_argument("--seconds", type=float, default=8.0, help="for newcomers of each game")
    parser.add_argument("--fit", action="store_true", help="only print each calibration")
    arguments = parser.parse_args()
    all_good = True
    for subject in [game(name) for name in arguments.games] or games():
        counts = [one for one in subject.players if one in (arguments.players or range(2, 99))]
        if arguments.fit:
            for players in counts:
                fitted(subject, players, arguments.matches, arguments.clubs)
            continue
        clubs = [
            measure(subject, players, arguments.matches, arguments.clubs) for players in counts
        ]
        all_good &= all(good for _club, good in clubs)
        print(f"{subject.name:<12} newcomers after {few_matches(clubs[0][0], arguments.seconds)}")
    return 0 if all_good else 1


if __name__ == "__main__":
    sys.exit(main())
