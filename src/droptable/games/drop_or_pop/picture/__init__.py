"""Drop or Pop!: how it is drawn."""
