"""Studying the games: many matches at once, and how fast they run."""
