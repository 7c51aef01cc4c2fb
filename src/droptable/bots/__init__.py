"""Bots: players that get a view, as people do, and answer with a token."""

from __future__ import annotations

from droptable.bots.coach import analyse
from droptable.bots.match import play
from droptable.bots.registry import Bot, make_bot
from droptable.bots.search import search

__all__ = ["Bot", "analyse", "make_bot", "play", "search"]
