"""Add several fault runs up: `python benchmarks/fault_totals.py FOLDER …`.

Each folder is one that `faults.py --keep` has made. Its histories are judged once more against the
events that were kept of its database; faults, commands and violations of all runs are added up.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from fault_checker import check, read_database, read_histories, summary


def add_up(folders):
    """Results by store, all violations, and answers that no client expects."""
    by_store, violations, oddities = {}, [], Counter()
    files = [file for folder in folders for file in sorted(Path(folder).glob("*/result.json"))]
    if not files:
        raise FileNotFoundError(f"there is no result.json in any of {', '.join(folders)}")
    for file in files:
        result = json.loads(file.read_text(encoding="utf-8"))
        run = by_store.setdefault(result["store"], (Counter(), Counter()))
        run[0].update(result["faults"])
        run[1].update(result["counts"] | {"events": result["events"], "seconds": result["seconds"]})
        oddities.update(result["oddities"])
        dump = read_database(str(file.with_name("stored.json")))
        violations += check(read_histories(file.parent), dump)
    return by_store, violations, oddities


def main() -> int:
    """Print a table of all runs; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+", help="given to `faults.py --keep`")
    by_store, violations, oddities = add_up(parser.parse_args().folders)
    kinds = sorted({kind for faults, _counts in by_store.values() for kind in faults})
    print("| fault |", " | ".join(by_store), "|")
    print("| --- |", " | ".join("---" for _store in by_store), "|")
    for kind in kinds:
        print(f"| {kind} |", " | ".join(f"{made[kind]}" for made, _ in by_store.values()), "|")
    totals = [f"{made.total():,}" for made, _counts in by_store.values()]
    print("| all faults |", " | ".join(totals), "|")
    for what in ("acknowledged", "shown", "events", "tables", "connections", "seconds"):
        print(f"| {what} |", " | ".join(f"{n[what]:,}" for _, n in by_store.values()), "|")
    faults = sum(made.total() for made, _counts in by_store.values())
    commands = sum(counts["acknowledged"] for _made, counts in by_store.values())
    print(f"\n{faults:,} faults, {commands:,} commands acknowledged: {summary(violations)}")
    for odd, times in oddities.most_common():
        print(f"odd, {times} times: {odd}")
    return int(bool(violations or oddities))


if __name__ == "__main__":
    sys.exit(main())
