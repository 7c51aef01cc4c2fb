"""The measurement of ratings: people of unknown strength, and how far predictions are off."""

import numpy as np
import pytest

from benchmarks.ratings import NOISES, Club, distance
from droptable.games import game


def test_people_are_rated_by_how_they_play_and_predictions_come_true():
    """In Drop or Pop! who plays more at random gets the lower rating; over tenths of the
    predictions, so few matches are off by no more than chance explains."""
    club = Club(game("drop-or-pop"), 3, seed=7)
    club.rate(1200)
    skills = [skill.mu for skill in club.skills]
    assert np.corrcoef(skills, NOISES)[0, 1] < -0.9
    seats, line_ups = club.compare(600)
    assert len(line_ups) == 600 and seats.shape == (1800, 2)
    assert seats[:, 1].sum() == pytest.approx(600)
    assert distance(seats)[0] < 0.05


def test_the_distance_is_weighted_by_seats():
    """Ten seats that are off by 0.1, and thirty that are right."""
    seats = np.array([(0.25, 0.35)] * 10 + [(0.75, 0.75)] * 30)
    mean, largest = distance(seats)
    assert mean == pytest.approx(0.025) and largest == pytest.approx(0.1)
