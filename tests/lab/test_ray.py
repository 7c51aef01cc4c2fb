"""Ray: two nodes on loopback, the second of which dies in the middle; nothing is lost."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

import droptable
from droptable.core.errors import DroptableError
from droptable.lab.cell import Cell
from droptable.lab.experiment import Progress
from droptable.lab.fleet import Fleet
from droptable.lab.plan import from_words
from droptable.lab.simulate import tally_of
from droptable.lab.studies import play_into
from droptable.lab.training.folder import Settings
from droptable.lab.training.run import train

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'droptable[ray]'")
ROOT = Path(__file__).parents[2]
CELL = Cell("drop-or-pop", 3, lineup=["greedy"])
MOST, AFTER = 200, 4  # chunks; and those that are begun after the node's death


def slowly(chunk):
    """The counts of chunk number n, which leaves word of where it is being done; on the node that
    is going to die it takes longer than that."""
    number, folder, doomed = chunk
    here = ray.get_runtime_context().get_node_id()
    Path(folder, f"{number} {here}").touch()
    time.sleep(60 if here == doomed else 0.4)
    return counts_of(number)


def counts_of(number):
    """Twenty matches, counted."""
    return tally_of((CELL, 9, 20 * number, 20))[1].to_dict()


@pytest.fixture(scope="module")
def cluster():
    """A head with one core, and a second node with one core."""
    from ray.cluster_utils import Cluster

    settings = {"num_cpus": 1, "object_store_memory": 100_000_000, "include_dashboard": False}
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYTHONPATH", str(ROOT))  # nodes find the tests
        environment.setenv("RAY_worker_niceness", "0")  # or a busy machine lets them wait for ever
        nodes = Cluster(initialize_head=True, head_node_args=settings, shutdown_at_exit=False)
        settings.pop("include_dashboard")
        nodes.second = nodes.add_node(**settings)
        ray.init(address=nodes.address, log_to_driver=False, logging_level="error")
        yield nodes
        ray.shutdown()
        nodes.shutdown()


@pytest.mark.filterwarnings("ignore")
def test_a_node_that_dies_costs_only_its_chunks(cluster, tmp_path):
    """The second node is killed while it works: the counts are those of one core, byte for byte."""
    counts, dead = {}, []

    def chunks():
        for number in range(MOST):
            if dead and number > dead[0] + AFTER:
                return
            yield number, str(tmp_path), cluster.second.node_id

    with Fleet("ray") as fleet:
        assert fleet.workers == 2
        for index, tally in fleet.map(slowly, chunks()):
            counts[index] = tally
            begun = [word.name.split() for word in tmp_path.iterdir()]
            busy = [n for n, node in begun if node == cluster.second.node_id]
            if not dead and any(int(number) not in counts for number in busy):
                cluster.remove_node(cluster.second, allow_graceful=False)
                dead.append(max(int(number) for number, _ in begun))
        assert dead and fleet.repeated >= 1
    assert len(counts) < MOST
    expected = [counts_of(number) for number in range(len(counts))]
    assert json.dumps([counts[number] for number in sorted(counts)]) == json.dumps(expected)


@pytest.mark.filterwarnings("ignore")
def test_no_more_workers_than_were_asked_for(cluster):
    """On a cluster with more cores, too, one worker has one chunk at a time."""
    cluster.add_node(num_cpus=1, object_store_memory=100_000_000, wait=True)
    done = []

    def chunks():
        for number in range(4):
            assert len(done) == number
            yield number

    with Fleet("ray", 1) as fleet:
        for _index, result in fleet.map(abs, chunks()):
            done.append(result)
    assert done == [0, 1, 2, 3]


def test_a_cluster_of_this_machine_is_used(cluster):  # noqa: ARG001
    """`--on ray` finds it, and takes as many of its cores as it is allowed to."""
    words = [
        "simulate",
        "drop-or-pop",
        "--matches",
        "1200",
        "--on",
        "ray",
        "--workers",
        "1",
        "--json",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "droptable", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["matches"] == 1200


@pytest.mark.filterwarnings("ignore")
def test_a_study_has_the_same_files_on_ray(cluster, tmp_path):  # noqa: ARG001
    """Every byte of them is that of a study on one core, and of one on two."""
    plan = from_words(
        "drop-or-pop", ["turn_limit=50,60"], 3, ["greedy", "random"], matches=120, traced=9,
        contests=["restricted"], contest_matches=24,
    )  # fmt: skip
    written = []
    for name, on, workers in (("one", "local", 1), ("two", "local", 2), ("ray", "ray", None)):
        with Fleet(on, workers) as fleet:
            play_into(plan, tmp_path / name, fleet, resume=False, progress=Progress())
        written.append({file.name: file.read_bytes() for file in (tmp_path / name).iterdir()})
    assert written[0] == written[1] == written[2]
    assert "matches.parquet" in written[0]


@pytest.mark.filterwarnings("ignore")
def test_a_training_has_the_same_files_on_ray(cluster, tmp_path):  # noqa: ARG001
    """Self-play on a cluster teaches what self-play on one core teaches, byte for byte."""
    game = droptable.game("drop-or-pop")
    settings = Settings(
        matches=12,
        iterations=4,
        lessons=6,
        hidden=(4,),
        batch=16,
        evaluate_every=1,
        evaluation_matches=6,
    )
    written = []
    for name, on, workers in (("one", "local", 1), ("ray", "ray", None)):
        train(
            game, 3, tmp_path / name, 2, settings, on=on, workers=workers, tell=lambda _line: None
        )
        written.append({file.name: file.read_bytes() for file in (tmp_path / name).iterdir()})
    assert written[0] == written[1]
    assert "net-0002.npz" in written[0]


def failing(chunk):
    """What a bot's error does to a chunk."""
    raise DroptableError(f"chunk {chunk} fails")


@pytest.mark.filterwarnings("ignore")
def test_what_a_chunk_raises_is_raised_here(cluster):  # noqa: ARG001
    """An error on a node is the same error here."""
    with Fleet("ray", 1) as fleet, pytest.raises(DroptableError, match="chunk 3 fails"):
        list(fleet.map(failing, [3]))
