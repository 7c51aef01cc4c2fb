"""Tables: matches that people and bots play over days, kept as append-only events.

`decide` (pure) turns commands into events, `Table` is the fold over them, `viewer` makes what one
viewer is sent, `Store` keeps the events, `Committer` stores before it publishes, `Scheduler` lets
bots move and clocks run out, and `Host` (async) ties them together.
"""
