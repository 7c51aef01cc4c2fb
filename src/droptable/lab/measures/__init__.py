"""What can be measured of a game, by name. Measures know no game, so they work for an added one."""

from __future__ import annotations

from droptable.lab.measures.choices import CHOICES
from droptable.lab.measures.contests import CONTESTS, Contest
from droptable.lab.measures.deals import DEALS, deals_of, dealt, joined_deals
from droptable.lab.measures.measure import Figure, Measure
from droptable.lab.measures.results import RESULTS
from droptable.lab.measures.sample import Sample
from droptable.lab.measures.story import STORY

MEASURES: dict[str, Measure] = {m.name: m for m in (*RESULTS, *CHOICES, *STORY, *DEALS)}
USUAL = tuple(name for name, measure in MEASURES.items() if measure.needs != "deals")
ALL_CONTESTS: dict[str, Contest] = {contest.name: contest for contest in CONTESTS}

__all__ = [
    "ALL_CONTESTS",
    "MEASURES",
    "USUAL",
    "Contest",
    "Figure",
    "Measure",
    "Sample",
    "deals_of",
    "dealt",
    "joined_deals",
]  # fmt: skip
