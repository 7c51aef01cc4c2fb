"""`python -m droptable.bots [GAME …]`: compile the rules and bots of games ahead of time."""

import sys

from droptable.bots.precompile import main

if __name__ == "__main__":
    main(sys.argv[1:])
