"""Self-play that improves our own search: `droptable train GAME`."""
