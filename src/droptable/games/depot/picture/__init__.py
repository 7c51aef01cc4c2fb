"""Depot: how it is drawn."""
