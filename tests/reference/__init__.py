"""Deliberately naive reference implementations of the games: oracles for the tests."""
