from droptable.games.drop import rules
TURN_RULE, END_RULE = "DR1", "DR6"
def actions(options):
    n=options["size"]
    return tuple(f"{c-n},{r-n}" for r,c in rules.cells(n))
def outcomes(options): return ()
