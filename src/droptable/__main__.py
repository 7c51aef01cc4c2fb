"""`python -m droptable`: the command line."""

from droptable.cli import main

if __name__ == "__main__":
    main()
