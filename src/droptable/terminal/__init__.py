"""Playing and replaying in a terminal, line by line."""
