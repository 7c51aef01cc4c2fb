"""The matches of a study as one tidy table (Arrow): a row per match and seat, and its files."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from droptable.core.extras import extra
from droptable.lab.experiment import Result

if TYPE_CHECKING:
    import pyarrow as pa

MOST_CSV_ROWS = 1_000_000  # a longer table is only written as Parquet
FIGURES = ("cell", "game", "players", "bots", "measure", "label", "value", "low", "high", "unit")


def check_arrow() -> None:
    """Refuse what needs pyarrow before anything is played."""
    with extra("lab"):
        import pyarrow.parquet  # noqa: F401


def frame(results: Sequence[Result], contests: bool = True) -> pa.Table:
    """All matches; those of contests too, under the contest's name."""
    with extra("lab"):
        import pyarrow as pa

    tables = [_rows(number, *one) for number, one in enumerate(_played(results, contests))]
    return pa.concat_tables(tables, promote_options="default").combine_chunks()


def _played(results: Sequence[Result], contests: bool) -> Iterator[tuple[str, Any]]:
    for result in results:
        yield "", result.sample.chunk
    for result in results if contests else ():
        for name, samples in result.contests.items():
            for label, sample in samples:
                yield f"{name}: {label}", sample.chunk


def _rows(number: int, contest: str, chunk: Any) -> pa.Table:
    """One cell's rows."""
    import pyarrow as pa

    cell, seats = chunk.cell, chunk.cell.seats
    rows = len(chunk) * seats

    def same(value: Any) -> Any:
        """A column in which every row says the same, kept once."""
        indices = pa.array(np.zeros(rows, np.int32))
        return pa.DictionaryArray.from_arrays(indices, pa.array([value]))

    def each(values: Any) -> Any:
        """A column with a value per match."""
        return pa.array(np.repeat(values, seats))

    columns = {
        "cell": pa.array(np.full(rows, number, np.int32)),
        "contest": same(contest),
        "game": same(cell.game),
        "players": pa.array(np.full(rows, seats, np.int8)),
        "lineup": same(" ".join(cell.lineup)),
    }
    for kind, values in (("option", cell.options), ("constant", cell.constants)):
        for name, value in values.items():
            if isinstance(value, bool | int):
                columns[f"{kind}.{name}"] = pa.array(np.full(rows, int(value), np.int64))
            else:
                columns[f"{kind}.{name}"] = same(
                    value if isinstance(value, str) else json.dumps(value)
                )
    columns |= {
        "seed": pa.array(np.full(rows, chunk.seed, np.int64)),
        "match": each(chunk.match),
        "deal": each(chunk.deal),
        "deal_seed": each(chunk.deal_seed),
        "seat": pa.array(np.tile(np.arange(seats, dtype=np.int8), len(chunk))),
        "bot": pa.DictionaryArray.from_arrays(
            pa.array(chunk.bot.reshape(-1).astype(np.int32)), pa.array(list(chunk.bots))
        ),
        "share": pa.array(chunk.share.reshape(-1)),
        "score": pa.array(chunk.score.reshape(-1)),
        "rank": pa.array(chunk.rank.reshape(-1)),
        "moves": each(chunk.moves),
        "turns": each(chunk.turns),
        "decisions": each(chunk.decisions),
        "first": each(chunk.first),
        "limit": each(chunk.limit),
    }
    return pa.table(columns)


def write_matches(results: Sequence[Result], folder: Path) -> list[str]:
    """`matches.parquet`, and `matches.csv` if that is not too long; the names of both."""
    with extra("lab"):
        import pyarrow as pa
        import pyarrow.csv as arrow_csv
        import pyarrow.parquet as parquet

    table = frame(results)
    parquet.write_table(table, folder / "matches.parquet", compression="zstd")
    written = ["matches.parquet"]
    if table.num_rows <= MOST_CSV_ROWS:
        plain = [
            column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
            for column in table.columns
        ]
        arrow_csv.write_csv(pa.table(plain, table.column_names), folder / "matches.csv")
        written.append("matches.csv")
    return written


def write_figures(results: Sequence[Result], path: Path) -> None:
    """All figures of all cells as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(FIGURES)
        for number, result in enumerate(results):
            cell = result.cell
            for f in result.figures:
                found = (f.interval.value, f.interval.low, f.interval.high)
                told = (f"{value:.10g}" for value in found)
                where = (number, cell.game, cell.seats, " ".join(cell.lineup))
                rows.writerow((*where, f.measure, f.label, *told, f.unit))
