"""`python -m droptable.core [GAME …]`: compile the rules of games ahead of time."""

import sys

from droptable.core.precompile import main

if __name__ == "__main__":
    main(sys.argv[1:])
