"""Drop or Pop!: what bots know of it beyond the rules."""
