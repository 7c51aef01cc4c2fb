"""The registry: games by name, each name once, also for code that may not import the games."""

import pickle

import pytest

import droptable
from droptable.core import registry
from droptable.core.errors import OptionError, UnknownGame


class Namesake(droptable.Game):
    """Another game with the name of one that there is."""

    def __init__(self, name):
        self.name = name


def test_a_name_is_registered_once():
    """A second game of one name is refused; registering the same game again changes nothing."""
    first, *_others = droptable.games()
    registry.register(first)
    with pytest.raises(OptionError, match=f"two games are called '{first.name}'"):
        registry.register(Namesake(first.name))
    assert registry.game(first.name) is first


def test_a_game_is_pickled_by_name():
    """Another process gets its own game of that name, not a copy."""
    for game in droptable.games():
        assert pickle.loads(pickle.dumps(game)) is game


def test_an_unknown_game_is_named_with_those_there_are():
    """A wrong name is answered by the right ones."""
    with pytest.raises(UnknownGame, match="there is no game 'chess'; games: drop-site, "):
        registry.game("chess")
