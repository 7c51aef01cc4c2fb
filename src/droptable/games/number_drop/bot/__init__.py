"""Number Drop: what bots know of it beyond the rules."""
