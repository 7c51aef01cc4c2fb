"""The Slurm example: however many parts there are, they are merged into the same file."""

import importlib.util
import os
import stat
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'droptable[lab]'")
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def example():
    """The script, imported."""
    spec = importlib.util.spec_from_file_location("slurm_matches", EXAMPLES / "slurm_matches.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def part(example, folder, parts, number, matches=23):
    """Play one part of a small experiment."""
    words = f"part drop-or-pop --bots random --matches {matches} --parts {parts} --part {number}"
    example.main([*words.split(), "--out", str(folder)])


def test_the_merged_file_does_not_depend_on_the_parts(example, tmp_path, monkeypatch):
    """One part or four, with small row groups: the same bytes, a row per match and seat."""
    monkeypatch.setattr(example, "ROWS", 7)
    monkeypatch.setattr(example, "AT_ONCE", 5)
    merged = []
    for parts in (1, 4):
        folder = tmp_path / str(parts)
        for number in range(parts):
            part(example, folder, parts, number)
        out = tmp_path / f"{parts}.parquet"
        example.main(["merge", str(folder), str(out)])
        merged.append(out.read_bytes())
    assert merged[0] == merged[1]
    table = example.parquet.read_table(tmp_path / "4.parquet")
    assert table.num_rows == 3 * 23
    assert sum(table["share"].to_pylist()) == pytest.approx(23)
    assert table["match"].to_pylist()[::3] == list(range(23))


def test_missing_and_foreign_parts_are_refused(example, tmp_path):
    """The merge says what is wrong, and writes nothing."""
    out = tmp_path / "all.parquet"
    with pytest.raises(SystemExit, match="no parts"):
        example.main(["merge", str(tmp_path), str(out)])
    part(example, tmp_path, 3, 0)
    with pytest.raises(SystemExit, match="end at match 7 of 23"):
        example.main(["merge", str(tmp_path), str(out)])
    part(example, tmp_path, 3, 2)
    with pytest.raises(SystemExit, match="parts are missing"):
        example.main(["merge", str(tmp_path), str(out)])
    part(example, tmp_path, 3, 1, matches=24)
    with pytest.raises(SystemExit, match="another experiment"):
        example.main(["merge", str(tmp_path), str(out)])
    with pytest.raises(SystemExit, match="part is 3; expected 0 to 2"):
        part(example, tmp_path, 3, 3)
    assert not out.exists()


def test_the_script_submits_an_array_and_a_merge(tmp_path):
    """`slurm.sh` asks for one job per part, and for a merge when all of them have ended well."""
    fake = tmp_path / "sbatch"
    fake.write_text(f'#!/bin/sh\necho "$*" >> {tmp_path}/asked\necho 42\n')
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run(["sh", EXAMPLES / "slurm.sh"], env=environment, check=True, capture_output=True)
    asked = (tmp_path / "asked").read_text()
    assert "--array=0-63" in asked and "--part $SLURM_ARRAY_TASK_ID" in asked
    assert "--dependency=afterok:42" in asked and "slurm_matches.py merge" in asked
