"""Servers are killed while notices are on their way. `benchmarks/notices.py` has 200 kills."""

from benchmarks.notices import WAYS, Player, Run
from benchmarks.receivers import Receivers


def test_kills_lose_nothing_and_what_leaves_twice_has_one_id(tmp_path):
    """A server dies right after a move, the next one after it has sent a notice and before it could
    note that: everything arrives, the one that left twice under the same id."""
    with Receivers() as receivers:
        run = Run(1, receivers, str(tmp_path / "tables.db"))
        anna, ben = Player("anna", run), Player("ben", run)
        table = anna.ask("POST", "/api/tables", {"game": "drop"})["table"]
        receivers.before_answer["/hook/anna"] = lambda: run.servers[0].kill()
        assert ben.do(table, "join")["ok"]  # it is Anna's turn
        run.restart(0)
        first = receivers.wait(lambda a: a.way == "webhook" and a.who == "anna")
        run.servers[0].process.wait(30)  # the answer never reached it
        assert [arrival.id for arrival in receivers.of("anna", "webhook")] == [first.id]
        run.servers[0] = run.start(run.servers[0].port)
        receivers.wait(lambda a: a.way == "webhook" and a is not first)
        for way in WAYS:
            called = lambda a, way=way: a.way == way and a.title == "Your turn"  # noqa: E731
            assert receivers.wait(called).id == first.id
        assert {a.id for a in receivers.of("anna") if a.title == "Your turn"} == {first.id}
        run.servers[0].stop()
        anna.close()
        ben.close()
