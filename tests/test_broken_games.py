"""What an author gets wrong is refused with its cause: two examples, broken in many ways."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from droptable.core.game import Game
from droptable.core.precompile import policy
from droptable.testing import check_game, check_scenes

EXAMPLES = Path(__file__).parents[1] / "examples"
FOUR, WHIST = "connect_four", "little_whist"
RULES_OF_FOUR = "Rules(STATE, to_act=to_act, legal=legal, apply=apply, winners=winners)"

# What is broken in words; the file; what stands there; what stands there instead; what is said.
Broken = tuple[str, str, str, str, str]

WHEN_MADE: list[Broken] = [
    ("a misspelt kernel", FOUR, "legal=legal", "legla=legal", "unexpected .* argument 'legla'"),
    ("a missing kernel", FOUR, ", winners=winners", "", "missing .* 'winners'"),
    ("a kernel that is none", FOUR, "@kernel\ndef apply", "def apply",
     "Rules: apply is not marked @kernel"),
    ("a helper that is no kernel", FOUR, "@kernel\ndef taken", "def taken",
     r"kernel \w+ \(.*\) calls taken, which is not marked @kernel"),
    ("an imported function in a kernel", FOUR, "return count_bits(taken(state)) & 1",
     "return join(taken(state))", "calls join, which is not marked @kernel"),
    ("a module in a kernel", FOUR, "FULL = sum", "import os\nROWS = 6\nFULL = sum",
     "uses the module os"),
    ("an argument too few", FOUR, "def legal(state, seat, ids)", "def legal(state, ids)",
     r"legal takes \(state, ids\); expected \(state, seat, ids\)"),
    ("a number for a kernel", FOUR, "winners=winners)", "winners=3)", "winners is 3; expected"),
    ("no field for players", FOUR, '("players", np.int32)', '("seats", np.int32)',
     "the record has no field 'players'"),
    ("players of another kind", FOUR, '("players", np.int32)', '("players", np.float64)',
     "field 'players' is float64; expected a whole number"),
    ("a rule that is cited and has no text", FOUR, 'turn_rule="CF1"', 'turn_rule="CF9"',
     "turn_rule is 'CF9', but the text has no section"),
    ("words that lack a function", FOUR, "    why=why,\n", "", "missing .* 'why'"),
    ("words with a text for a function", FOUR, "    label=label,\n", '    label="Drop",\n',
     "Words: label is 'Drop'; expected a function"),
    ("a colour that is none", FOUR, 'accent="gold"', 'accent="golden"',
     "accent is 'golden'; expected one of red, orange"),
    ("the same token twice", FOUR, 'f"drop {column + 1}" for', '"drop" for', "has 'drop' twice"),
    ("tokens in a list", FOUR, "return tuple(f", "return list(f", "expected a tuple"),
    ("an untidy token", FOUR, 'f"drop {column + 1}" for', 'f"drop  {column + 1}" for',
     "expected words separated by one space"),
    ("player counts that repeat", FOUR, "players=(2,)", "players=(2, 2)", r"players is \(2, 2\)"),
    ("an option without a field", FOUR, "    rules=RULES,",
     '    rules=RULES,\n    options={"size": Number(6, 4, 9, "rows")},',
     "no field 'size' for the option"),
    ("an option that does not fit", FOUR, "    rules=RULES,",
     '    rules=RULES,\n    options={"won": Number(6, 4, 1 << 40, "rows")},',
     "cannot hold the option 1099511627776"),
    ("a module for the rules", FOUR, "    rules=RULES,", "    rules=np,",
     "rules is <module 'numpy'"),
    ("a name with capitals", FOUR, '"connect-four",\n', '"Connect Four",\n', "lower-case words"),
    ("chance without outcomes", WHIST, "    outcomes=outcomes,\n", "",
     "the rules have a chance kernel, but the words no outcomes"),
    ("outcomes without chance", WHIST, "    chance=chance,\n", "",
     "the words have outcomes, but the rules no chance kernel"),
    ("secrets without worlds", WHIST, "    determinize=determinize,\n", "",
     "there is observe, but no determinize"),
]  # fmt: skip

AS_PLAIN_PYTHON: list[Broken] = [
    ("more moves than tokens", FOUR, "for column in range(COLUMNS):\n        if not filled",
     "for column in range(COLUMNS + 1):\n        if not filled", "legal leaves its array"),
    ("no moves", FOUR, "count += 1\n    return count", "count += 1\n    return 0",
     "legal returns 0; expected 1 to 7"),
    ("moves out of order", FOUR, "ids[count] = column", "ids[count] = COLUMNS - 1 - column",
     "legal lists .*ascending"),
    ("a seat that is not there", FOUR, 'state["stones"][actor] = own',
     'state["stones"][actor + 2] = own', "apply leaves its array"),
    ("a look that changes the state", FOUR, "    filled, count = taken(state), 0\n",
     '    filled, count = taken(state), 0\n    state["stones"][0] ^= 1 << 62\n',
     "legal changes the state"),
    ("a number that is too large", FOUR, 'state["won"] = 1 << actor', 'state["won"] = 1 << 40',
     "apply fails as plain Python: OverflowError"),
    ("a winner from the start", FOUR, 'return int(state["won"])', "return 1",
     "winners and over do not agree"),
    ("a match that changes its players", FOUR, "    filled = taken(state)\n    own",
     '    filled = taken(state)\n    state["players"] = 1\n    own',
     "apply changes the number of players"),
    ("a third seat of two", FOUR, "1 << seat_to_drop(state)", "4 << seat_to_drop(state)",
     "to_act names seat"),
    ("a move without a label", FOUR, 'return f"Drop a stone into column {action + 1}"',
     'return ""', "a move without a label"),
    ("a reason by an unknown rule", FOUR, 'return "CF2", f"column', 'return "CF7", f"column',
     "no text for rule CF7"),
    ("an event without a sentence", FOUR, 'return f"{names[actor]} drops a stone',
     'return "" and f"{names[actor]} drops a stone', "an event without a sentence"),
    ("a drawing that is too wide", FOUR, '" ".join(row)', '" ".join(row * 9)', "drawing too wide"),
    ("a picture of a wrong size", FOUR, "return Picture(width,", "return Picture(width + 5,",
     "a picture of a wrong size"),
    ("a move that cannot be touched", FOUR, 'return (f"column-{action + 1}",)',
     'return (f"tower-{action + 1}",)', "cannot be touched"),
    ("two moves that are touched alike", FOUR, 'return (f"column-{action + 1}",)',
     'return ("column-1",)', "two moves have the same path"),
    ("a function that fails", FOUR, 'return f"{names[actor]} drops', 'return f"{names[9]} drops',
     r"IndexError: .* \(in tell, connect_four"),
    ("witnesses of every deal", WHIST,
     'return 1 << int(state["dealt"]) % int(state["players"])', 'return (1 << 4) - 1 & 7',
     "seat . witnesses 'deal .*', but its view cannot tell that from"),
    ("nobody who witnesses a move", WHIST, 'return (1 << int(state["players"])) - 1', "return 0",
     "an actor does not know its own move"),
    ("hands that are not hidden", WHIST, 'state["hands"][other] = 0\n', "pass\n",
     "seat . can tell deal .* from deal"),
    ("own cards that are hidden", WHIST, "        if other != seat:\n            state",
     "        if True:\n            state", "its view cannot tell|a view's legal moves differ"),
    ("own cards that are dealt again", WHIST, '        unseen &= ~int(state["hands"][seat])\n',
     "        pass\n", "the invariant does not hold in a determinized world"),
    ("a shown void that is forgotten", WHIST, 'state["sizes"], state["barred"]',
     'state["sizes"], 0 * state["barred"]', "the invariant does not hold in a determinized world"),
    ("a world with another score", WHIST, "    unseen = ALL",
     '    state["tricks"][0] += 1\n    unseen = ALL', "a world looks different to its seat"),
    ("a card that is played twice", WHIST, '    state["hands"][actor] = int',
     '    state["hands"][actor] ^= 0 * int', "the invariant does not hold in a state"),
    ("a card that is dealt twice", WHIST, "ALL & ~gone, ids", "ALL & ~(gone >> 1), ids",
     "legal returns 0|the invariant does not hold in a state"),
    ("a deal without weight", WHIST, "    return list_cards(ALL & ~gone, ids, weights)",
     "    count = list_cards(ALL & ~gone, ids, weights)\n    weights[0] = 0\n    return count",
     "chance lists a weight of 0"),
    ("a card that is not in the deck", WHIST, "list_cards(ALL & ~gone",
     "list_cards((ALL | 1 << CARDS) & ~gone", "chance leaves its array|chance lists"),
    ("a dealer who goes on for ever", WHIST, '        state["dealt"] += 1\n', "",
     "chance returns 0|chance leaves|invariant|apply"),
]  # fmt: skip

COMPILED: list[Broken] = [
    ("a number that only Python can hold", FOUR, "return count_bits(taken(state)) & 1",
     "return (count_bits(taken(state)) << 40 << 30 >> 70) & 1", "to_act differs|to_act"),
    ("what a compiler does not know", FOUR, "    filled, count = taken(state), 0\n    for",
     '    filled, count = taken(state), len({"a": 1, "b": state}) - 2\n    for',
     "legal cannot be compiled: "),
    ("luck of its own", WHIST, "    deal_hidden(hands",
     "    for _ in range(np.random.randint(0, 9)):\n        random_card(unseen, random)\n"
     "    deal_hidden(hands", "determinize differs"),
]  # fmt: skip


@pytest.fixture
def forget() -> Iterator[None]:
    """Leave no broken module behind."""
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith((FOUR, WHIST)):
            del sys.modules[name]


def broken_source(file: str, old: str, new: str) -> str:
    """The source of an example with one thing broken."""
    source = (EXAMPLES / f"{file}.py").read_text("utf-8")
    assert old in source, f"{file} has no {old!r}"
    source = source.replace(old, new, 1).replace("import numpy as np\n", "import numpy as np\n\n"
        "from droptable.core.cards import random_card\n"
        "from droptable.core.options import Number\n", 1)  # fmt: skip
    if "import os" in new:
        source = source.replace("return count_bits(taken(state)) & 1", "return os.EX_OK", 1)
    return source


def load(folder: Path, file: str, source: str) -> ModuleType:
    """A module of that source, under a name of its own."""
    path = folder / f"{file}_{abs(hash(source))}.py"
    path.write_text(source, "utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def check_all(game: Game) -> None:
    """The contract suite and the pictures."""
    check_game(game, every=2)
    check_scenes(game, game.players[0], every=3)


def ids(broken: list[Broken]) -> list[str]:
    return [words.replace(" ", "-") for words, *_ in broken]


@pytest.mark.usefixtures("forget")
@pytest.mark.parametrize("broken", WHEN_MADE, ids=ids(WHEN_MADE))
def test_what_does_not_fit_is_refused_when_a_game_is_made(tmp_path: Path, broken: Broken) -> None:
    """One sentence names what is wrong, before anything is played."""
    _words, file, old, new, message = broken
    with pytest.raises((ValueError, TypeError), match=message) as refused:
        load(tmp_path, file, broken_source(file, old, new))
    assert "\n" not in str(refused.value)


@pytest.mark.usefixtures("forget")
@pytest.mark.parametrize("broken", AS_PLAIN_PYTHON, ids=ids(AS_PLAIN_PYTHON))
def test_check_game_finds_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: Broken
) -> None:
    """The contract suite names the cause; plain Python is enough to see it."""
    for module in ("core.precompile", "testing.kernels", "testing.contract"):
        monkeypatch.setattr(f"droptable.{module}.policy", lambda: "never")
    _words, file, old, new, message = broken
    game = load(tmp_path, file, broken_source(file, old, new)).GAME
    with pytest.raises(AssertionError, match=message):
        check_all(game)


@pytest.mark.skipif(policy() == "never", reason="compilation is switched off here")
@pytest.mark.usefixtures("forget")
@pytest.mark.parametrize("broken", COMPILED, ids=ids(COMPILED))
def test_check_game_finds_what_machine_code_does_otherwise(tmp_path: Path, broken: Broken) -> None:
    """What compiles to something else, or not at all, is named with its kernel."""
    _words, file, old, new, message = broken
    game = load(tmp_path, file, broken_source(file, old, new)).GAME
    with pytest.raises(AssertionError, match=message):
        check_game(game, every=5)


def test_there_are_enough_mutants() -> None:
    """At least 25 ways to break a game are refused."""
    assert len(WHEN_MADE) + len(AS_PLAIN_PYTHON) + len(COMPILED) >= 50
