"""Bots: players that get a view, like people, and answer with a token."""

from __future__ import annotations

from droptable.bots.base import Bot, make_bot
from droptable.bots.match import play

__all__ = ["Bot", "make_bot", "play"]
