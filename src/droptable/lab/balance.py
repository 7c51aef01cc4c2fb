"""Play the study that comes with the games, and write what each game's page shows.

python -m droptable.lab.balance [GAME …]    # goes on where it was interrupted
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from droptable.core.balance import Balance, Level, Number, Table, balance_file
from droptable.core.files import replace_text
from droptable.games import game as find_game
from droptable.lab.experiment import Result, run
from droptable.lab.fleet import Fleet
from droptable.lab.parts import Parts
from droptable.lab.plan import Plan, read_plan
from droptable.lab.statistics import Interval
from droptable.lab.studies import Bar

STUDY = Path(__file__).with_name("balance.toml")
DIGITS = 5


def main() -> None:
    """Play it, and write `balance.json` into the folder of each game."""
    arguments = argparse.ArgumentParser(prog="droptable.lab.balance", description=__doc__)
    arguments.add_argument("games", nargs="*", help="default: all")
    arguments.add_argument("--parts", type=Path, default=Path("balance-parts"))
    arguments.add_argument("--workers", type=int)
    given = arguments.parse_args()
    plan = plan_of(given.games)
    with Bar() as bar, Fleet(None, given.workers) as fleet:
        results = run(plan, fleet, Parts(given.parts), bar)
    write(results)


def plan_of(games: Sequence[str]) -> Plan:
    """What is played of these games, or of all."""
    plan = read_plan(STUDY)
    names = [find_game(name).name for name in games]
    planned = [one for one in plan.planned if not names or one.cell.game in names]
    return replace(plan, planned=tuple(planned))


def write(results: Sequence[Result]) -> None:
    """One file per game."""
    for name in dict.fromkeys(result.cell.game for result in results):
        subject = find_game(name)
        file = balance_file(subject)
        if file is not None:
            own = [result for result in results if result.cell.game == name]
            found = msgspec.json.encode(Balance(subject.version, tables(own)))
            replace_text(file, msgspec.json.format(found, indent=1).decode() + "\n")


def tables(results: Sequence[Result]) -> tuple[Table, ...]:
    """The results by number of players, in the order in which the study has the bots."""
    return tuple(
        Table(players, tuple(_level(r) for r in results if r.cell.seats == players))
        for players in sorted({result.cell.seats for result in results})
    )


def _level(result: Result) -> Level:
    figures = {
        f"{f.measure}: {f.label}" if f.label else f.measure: _number(f.interval)
        for f in result.figures
        if f.measure != "seats"
    }
    seats = tuple(_number(f.interval) for f in result.of("seats"))
    return Level(result.cell.lineup[0], len(result.sample), seats, figures)


def _number(found: Interval) -> Number:
    return Number(*(float(f"{v:.{DIGITS}g}") for v in (found.value, found.low, found.high)))


if __name__ == "__main__":
    main()
