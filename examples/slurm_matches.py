"""Play a large experiment as an array job of Slurm, and merge its Parquet files.

    python examples/slurm_matches.py part drop-or-pop --bots greedy --matches 10000000 \
        --parts 64 --part 0 --out parts
    python examples/slurm_matches.py merge parts matches.parquet

`examples/slurm.sh` has the jobs. A part that is there is not played again, so a job that was
requeued loses one part at most. The merged file is the same, byte for byte, whatever the number of
parts: matches follow from the seed and their numbers.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

from droptable.core.errors import DroptableError
from droptable.lab.cell import Cell
from droptable.lab.matches import play_chunk

AT_ONCE = 100_000  # matches in memory
ROWS = 1 << 20  # of a row group in the merged file
ABOUT = b"droptable"  # the key of what a file says about itself


def table_of(chunk):
    """A chunk as a tidy table: one row per match and seat."""
    seats = chunk.cell.seats
    per_match = ("match", "deal", "moves", "decisions", "turns", "first", "limit")
    columns = {name: np.repeat(getattr(chunk, name), seats) for name in per_match}
    columns["seat"] = np.tile(np.arange(seats, dtype=np.int8), len(chunk))
    columns["bot"] = np.array(chunk.bots)[chunk.bot].reshape(-1)
    columns |= {name: getattr(chunk, name).reshape(-1) for name in ("share", "score", "rank")}
    return pa.table(columns)


def play_part(cell, seed, matches, parts, part, folder):
    """Write one part of the matches, unless it is there."""
    file = folder / f"part-{part:05}.parquet"
    if file.exists():
        print(f"{file} is there")
        return
    folder.mkdir(parents=True, exist_ok=True)
    first, stop = (matches * number // parts for number in (part, part + 1))
    about = {
        "cell": cell.to_dict(),
        "seed": seed,
        "matches": matches,
        "rules": cell.subject.version,
    }
    draft = file.with_suffix(".draft")
    schema = table_of(play_chunk(cell, seed, 0, 1)).schema
    schema = schema.with_metadata({ABOUT: json.dumps(about, sort_keys=True).encode()})
    with parquet.ParquetWriter(draft, schema) as writer:
        for start in range(first, stop, AT_ONCE):
            chunk = play_chunk(cell, seed, start, min(AT_ONCE, stop - start))
            writer.write_table(table_of(chunk).cast(schema))
    draft.replace(file)
    print(f"{file}: matches {first} to {stop - 1}")


def merge(folder, out):
    """Write all parts as one file; refused if some are missing, or of different experiments."""
    files = sorted(folder.glob("part-*.parquet"))
    if not files:
        raise DroptableError(f"there are no parts in {folder}")
    schema = parquet.read_schema(files[0])
    expected = 0
    draft = out.with_suffix(".draft")
    waiting = []
    with parquet.ParquetWriter(draft, schema) as writer:
        for file in files:
            found = parquet.ParquetFile(file)
            if found.schema_arrow.metadata[ABOUT] != schema.metadata[ABOUT]:
                raise DroptableError(f"{file} is of another experiment than {files[0]}")
            for group in range(found.num_row_groups):
                rows = found.read_row_group(group)
                if rows["match"][0].as_py() != expected:
                    raise DroptableError(f"{file} begins after match {expected}: parts are missing")
                expected = rows["match"][-1].as_py() + 1
                waiting = write_whole_groups(writer, [*waiting, rows])
        if waiting:
            writer.write_table(pa.concat_tables(waiting).combine_chunks())
    matches = json.loads(schema.metadata[ABOUT])["matches"]
    if expected != matches:
        draft.unlink()
        raise DroptableError(f"the parts in {folder} end at match {expected} of {matches}")
    draft.replace(out)
    print(f"{out}: {matches} matches")


def write_whole_groups(writer, tables):
    """Write row groups of the same size, however the parts were cut; return what is left."""
    rows = pa.concat_tables(tables)
    while rows.num_rows >= ROWS:
        writer.write_table(rows.slice(0, ROWS).combine_chunks(), row_group_size=ROWS)
        rows = rows.slice(ROWS)
    return [rows] if rows.num_rows else []


def main(words=None):
    """The two commands."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    part = commands.add_parser("part", help="play one part")
    part.add_argument("game")
    part.add_argument("--players", type=int)
    part.add_argument("--bots", nargs="+", default=["greedy"], help="one for all seats, or each")
    part.add_argument("--matches", type=int, required=True)
    part.add_argument("--seed", type=int, default=1)
    part.add_argument("--parts", type=int, required=True)
    part.add_argument("--part", type=int, required=True)
    part.add_argument("--out", type=Path, required=True)
    merging = commands.add_parser("merge", help="merge all parts")
    merging.add_argument("folder", type=Path)
    merging.add_argument("out", type=Path)
    given = parser.parse_args(words)
    try:
        if given.command == "merge":
            merge(given.folder, given.out)
            return
        if not 0 <= given.part < given.parts:
            raise DroptableError(f"part is {given.part}; expected 0 to {given.parts - 1}")
        cell = Cell(given.game, given.players, lineup=given.bots)
        play_part(cell, given.seed, given.matches, given.parts, given.part, given.out)
    except DroptableError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
