"""Networks in files play without PyTorch; what is no such file is refused, and never executed."""

import io
import itertools
import json
import pickle
import zipfile

import numpy as np
import pytest

import droptable
from droptable.bots.checkpoint import CheckpointBot, Misfit, read_network, write_network
from droptable.bots.own import looks_own
from droptable.bots.registry import make_bot
from droptable.core.contract import DEALER
from droptable.core.errors import OptionError

GAMES = [game.name for game in droptable.games()]


def sizes(game, players):
    view = game.start(players).view(0)
    return len(view.tensor()), len(game.vocabulary(view.options).actions)


def random_layers(game, players, hidden=(8, 5)):
    inputs, actions = sizes(game, players)
    widths = [inputs, *hidden, actions]
    chance = np.random.default_rng(1)
    return [
        (chance.normal(size=(out, into)), chance.normal(size=out))
        for into, out in itertools.pairwise(widths)
    ]


def safetensors(arrays, metadata, kind="F32", header=None):
    """The bytes of a .safetensors file."""
    entries, body = {"__metadata__": metadata}, b""
    for name, array in arrays.items():
        numbers = array.astype(np.float32)
        raw = (
            numbers.astype({"F32": "<f4", "F16": "<f2", "F64": "<f8"}[kind]).tobytes()
            if kind != "BF16"
            else (numbers.view(np.uint32) >> 16).astype("<u2").tobytes()
        )
        where = [len(body), len(body) + len(raw)]
        entries[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": where}
        body += raw
    text = json.dumps(entries if header is None else header).encode()
    return len(text).to_bytes(8, "little") + text + body


@pytest.mark.parametrize("name", GAMES)
def test_a_network_plays_every_game(name, tmp_path):
    """It makes the legal move with the highest output, at every number of players."""
    game = droptable.game(name)
    for players in game.players:
        file = tmp_path / f"{players}.npz"
        layers = random_layers(game, players)
        write_network(file, layers, game, players, "tanh")
        bots = [str(file), *["random"] * (players - 1)]
        record = droptable.play(game, players=players, bots=bots, seed=2)
        assert record.final.over and not record.info
        state = game.start(players)
        checked = 0
        for actor, token in record.events:
            if actor == 0 and checked < 8:
                x = state.view(0).tensor()
                for number, (weight, bias) in enumerate(layers):
                    x = weight @ x + bias if not number else weight @ np.tanh(x) + bias
                ids = game.vocabulary(state.options).action_ids
                outputs = {legal: x[ids[legal]] for legal in state.legal(0)}
                assert outputs[token] == pytest.approx(max(outputs.values()), abs=1e-3)
                checked += 1
            state.apply(actor, token)
        assert checked


@pytest.mark.parametrize("kind", ["F32", "F16", "F64", "BF16"])
def test_both_formats_hold_the_same_network(kind, tmp_path):
    """Names may have a prefix, as in a state_dict; the order is that of their numbers."""
    game = droptable.game("drop")
    layers = random_layers(game, 2, hidden=(4,) * 11)
    layers = [(w.astype(np.float16), b.astype(np.float16)) for w, b in layers]
    arrays = {}
    for number, (weight, bias) in reversed(list(enumerate(layers))):  # 10 comes after 9
        arrays |= {f"net.{2 * number}.bias": bias, f"net.{2 * number}.weight": weight}
    (tmp_path / "a.safetensors").write_bytes(safetensors(arrays, {"game": "drop"}, kind))
    write_network(tmp_path / "b.npz", layers, "drop")
    view = game.start().view(0)
    one, other = (CheckpointBot(tmp_path / file).values(view) for file in
                  ("a.safetensors", "b.npz"))  # fmt: skip
    assert one == pytest.approx(other, rel=0.3 if kind == "BF16" else 1e-6, abs=1.0)
    assert read_network(tmp_path / "a.safetensors").players is None


def test_a_network_never_sees_what_is_hidden(tmp_path):
    """Its values do not change when everything changes that its seat may not know."""
    for name in GAMES:
        game = droptable.game(name)
        players = game.players[-1]
        write_network(tmp_path / "x.npz", random_layers(game, players), game)
        bot, state = CheckpointBot(tmp_path / "x.npz"), game.start(players)
        chance = __import__("random").Random(5)
        for _ in range(40):
            actor = state.to_act[0]
            if actor == DEALER:
                state.deal(chance)
                continue
            view = state.view(actor)
            assert bot.values(view) == bot.values(view.determinize(seed=9).view(actor))
            state.apply(actor, chance.choice(view.legal))


class Evil:
    def __reduce__(self):
        return (print, ("executed!",))


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def bomb():
    file = io.BytesIO()
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as parts,
        parts.open("0.weight.npy", "w", force_zip64=True) as part,
    ):
        for _ in range(260):
            part.write(bytes(1 << 20))
    return file.getvalue()


W, B = np.ones((3, 2)), np.ones(3)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.npz", b"", "is no network"),
        ("x.npz", pickle.dumps(Evil()), "is no network"),
        ("x.npz", npz(game=np.array("drop"), **{"0.weight": np.array([Evil()], object)}), "pickle"),
        ("x.npz", bomb(), "at most 256"),
        ("x.npz", npz(**{"0.weight": W, "0.bias": B}), "expected the text `game`"),
        ("x.npz", npz(game="chess", **{"0.weight": W, "0.bias": B}), "there is no game 'chess'"),
        ("x.npz", npz(game="drop"), "it has 0 layers"),
        ("x.npz", npz(game="drop", players=-2, **{"0.weight": W, "0.bias": B}), "players is '-2'"),
        ("x.npz", npz(game="drop", activation="gelu", **{"0.weight": W, "0.bias": B}), "gelu"),
        ("x.npz", npz(game="drop", **{"0.weight": W}), "layer 0 has weight; expected both"),
        ("x.npz", npz(game="drop", **{"0.weight": W, "0.bias": W}), "expected (out, in)"),
        ("x.npz", npz(game="drop", optimizer=B), "there is 'optimizer'"),
        ("x.npz", npz(game="drop", **{"0.weight": W * np.nan, "0.bias": B}), "not finite"),
        ("x.npz", npz(game="drop", **{"0.weight": W.astype(int), "0.bias": B}), "expected floats"),
        ("x.npz", npz(game="drop", **{"0.weight": W, "0.bias": B, "1.weight": W, "1.bias": B}),
         "layer 1 takes 2 numbers; it is given 3"),
        ("x.safetensors", b"", "its header has 0 bytes"),
        ("x.safetensors", b"\xff" * 16, "its header has"),
        ("x.safetensors", safetensors({}, {}, header=[]), "no JSON object"),
        ("x.safetensors", safetensors({}, {}, header={"0.weight": {
            "dtype": "F32", "shape": [1, 1], "data_offsets": [-4, 400]}}), "it has|is at -4"),
        ("x.safetensors", safetensors({}, {}, header={"0.weight": {
            "dtype": "I64", "shape": [1, 1], "data_offsets": [0, 8]}}), "has the type 'I64'"),
        ("x.safetensors", safetensors({}, {}, header={"0.weight": []}), "is no network"),
    ],
)  # fmt: skip
def test_bad_files_are_refused_clearly(name, content, message, tmp_path, capfd):
    """Nothing is executed, expanded without bound, or taken for something that it is not."""
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(OptionError) as refused:
        make_bot(str(file))
    assert any(part in str(refused.value) for part in message.split("|")), refused.value
    assert name in str(refused.value) and "executed" not in capfd.readouterr().out


def test_a_missing_file_is_named():
    """A path that leads nowhere is no network, and no name of another bot."""
    with pytest.raises(OptionError, match=r"there is no file nowhere\.npz"):
        make_bot("nowhere.npz")
    assert looks_own("nets/a.npz") and looks_own("b.safetensors") and not looks_own("greedy")


def test_a_network_for_something_else_ends_the_match(tmp_path):
    """It is not replaced by random moves: nobody would notice that it is the wrong file."""
    game = droptable.game("drop")
    write_network(tmp_path / "x.npz", random_layers(game, 2), game, 2)
    bots = [str(tmp_path / "x.npz"), "random"]
    with pytest.raises(Misfit, match="for drop, not for drop-site"):
        droptable.play(droptable.game("drop-site"), bots=bots, seed=1)
    with pytest.raises(Misfit, match=r"\d+ inputs and \d+ outputs; expected"):
        droptable.play(game, bots=bots, seed=1, size=9)
    write_network(tmp_path / "x.npz", random_layers(game, 2), game, 3)
    with pytest.raises(Misfit, match="for 3 players, not for 2"):
        droptable.play(game, bots=bots, seed=1)
