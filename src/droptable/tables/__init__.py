"""Tables: matches that people and bots play over days, kept as append-only events.

`decide` (pure) turns commands into events, `Table` is the fold over them, `viewer` says what one
viewer is sent, `Store` keeps the events, and `Host` (async) ties them together.
"""
