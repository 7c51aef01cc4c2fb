def actions(options):
    return tuple(f"{w} {n}" for w in ("create", "place", "hide") for n in range(13))


def outcomes(options):
    return tuple(f"{w} {n}" for w in ("deal", "site", "draw") for n in range(13))
