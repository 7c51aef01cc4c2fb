"""The games as environments for learning: `vector`, `pettingzoo`, `openspiel` and `text`.

Each is a module of its own, imported only when it is asked for, since some need other libraries.
"""
