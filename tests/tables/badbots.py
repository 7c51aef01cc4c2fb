"""Bots that do not do what bots should, made by name in a process of bots."""

import os
import time


class BadBot:
    def __init__(self, name):
        self.name = name
        self.asked = 0

    def choose(self, view):
        match self.name:
            case "greedy":
                raise ZeroDivisionError("oh no")
            case "random":
                return "fly to the moon"
            case "easy":
                time.sleep(600)
            case "normal":
                os._exit(3)
            case "master":
                self.asked += 1  # a bot that is remembered goes through the moves
                return view.legal[-self.asked]
            case "hard":
                print("chatter on the standard output")
        return view.legal[-1]


def make(name):
    return BadBot(name)


class SlowBot:
    """Thinks for ever at `hard`, not at all at other levels."""

    def __init__(self, name):
        self.name = name

    def choose(self, view):
        if self.name == "hard":
            time.sleep(600)
        return view.legal[0]


def make_slow(name):
    return SlowBot(name)


def raises(_view):
    raise ZeroDivisionError("oh no")


def cheats(_view):
    return "fly to the moon"


def dies(_view):
    os._exit(3)
