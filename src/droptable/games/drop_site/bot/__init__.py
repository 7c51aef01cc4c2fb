"""Drop Site: what bots know of it beyond the rules."""
