"""Number Drop: drop shapes made of the dice's numbers into a grid and circle combos.

Five dice are rolled for all (ND3). Every seat drops the rolled shape into its own grid, with four
numbers in it (ND7, ND8), and may circle one combo of identical or consecutive numbers (ND10). Both
combos of a value make a letter active: a later `*` drops its block on the others (ND4-ND6). A mark
above the Game Over line ends the match (ND13). Solo has blocks that slide down (ND16-ND18).
Grids are bit boards (`grid`), so that falling, rows and combos are a few operations on integers.
"""

from __future__ import annotations

from droptable.core.compile import kernel
from droptable.core.contract import DEALER_ACTS, Bounds, Ids, Numbers, Random, Rules, State
from droptable.games.number_drop.rules.combos import circle, legal_cells
from droptable.games.number_drop.rules.dropping import (
    after_block,
    die_for,
    drop,
    has_drop,
    legal_drops,
    legal_names,
    legal_numbers,
    next_to_number,
    write_number,
)
from droptable.games.number_drop.rules.grid import mark_cells
from droptable.games.number_drop.rules.record import (
    BLOCK,
    CELL_ID,
    CIRCLE,
    DEALING_TILES,
    DICE,
    DIE_ID,
    DONE_ID,
    DROP,
    DROP_ID,
    LETTERS,
    NAME,
    NAME_ID,
    NO_LETTER,
    NO_SHAPE,
    NONE_ID,
    NOTCHES,
    NOTHING,
    NUMBER,
    NUMBER_ID,
    OVER,
    PLAYING,
    ROLLING,
    RULEBOOK,
    SHAPE_ID,
    SKIP_ID,
    SLIDE,
    SLIDE_ID,
    STAR,
    STATE,
    TILE_ID,
    TOGETHER,
    WILD,
    WRITE,
    WRITE_ID,
    WRITING,
)
from droptable.games.number_drop.rules.rounds import (
    active_seat,
    after_shape,
    everybody,
    finish,
    first_clockwise,
    in_turn,
    is_secret,
    letters,
    next_die,
    start_round,
    take_back,
)
from droptable.games.number_drop.rules.scoring import score
from droptable.games.number_drop.rules.shapes import COLUMNS, DIE_SHAPES, SHAPES
from droptable.games.number_drop.rules.solo import can_slide, legal_slides, slide

# What other rooms look up here: the record's numbers, what is asked of a record, the contract.
__all__ = [
    "BLOCK",
    "CELL_ID",
    "CIRCLE",
    "DEALING_TILES",
    "DICE",
    "DIE_ID",
    "DONE_ID",
    "DROP",
    "DROP_ID",
    "LETTERS",
    "NAME",
    "NAME_ID",
    "NONE_ID",
    "NOTCHES",
    "NOTHING",
    "NO_LETTER",
    "NO_SHAPE",
    "NUMBER",
    "NUMBER_ID",
    "OVER",
    "PLAYING",
    "ROLLING",
    "RULEBOOK",
    "SHAPE_ID",
    "SKIP_ID",
    "SLIDE",
    "SLIDE_ID",
    "STAR",
    "STATE",
    "TOGETHER",
    "WILD",
    "WRITE",
    "WRITE_ID",
    "active_seat",
    "apply",
    "can_slide",
    "chance",
    "determinize",
    "die_for",
    "has_drop",
    "is_secret",
    "legal",
    "letters",
    "most_deals",
    "most_moves",
    "next_die",
    "next_to_number",
    "observe",
    "score",
    "scores",
    "setup",
    "solo_scores",
    "to_act",
    "winners",
    "witnesses",
]  # fmt: skip


@kernel
def setup(state: State) -> None:
    state["block"] = NO_LETTER
    state["shape_die"] = NO_SHAPE
    for seat in range(6):
        state["shape"][seat] = NO_SHAPE
    for letter in range(LETTERS):
        state["tiles"][letter] = NO_SHAPE
        if state["players"] == 1:
            state["notches"][letter] = NOTCHES  # ND1


@kernel
def to_act(state: State) -> int:
    stage = int(state["stage"])
    pending = int(state["pending"])
    if stage == PLAYING:
        return first_clockwise(state, pending) if in_turn(state) else pending  # ND14
    if stage == WRITING:
        return pending & -pending  # ND2
    return 0 if stage == OVER else DEALER_ACTS


@kernel
def legal(state: State, seat: int, ids: Ids) -> int:
    doing = int(state["doing"][seat])
    if doing == NUMBER:
        return legal_numbers(state, seat, ids)
    if doing == CIRCLE:
        return legal_cells(state, seat, ids)
    if doing in (DROP, BLOCK):
        return legal_drops(state, seat, ids)
    if doing == NAME:
        return legal_names(state, seat, ids)
    if doing == SLIDE:
        return legal_slides(state, ids)
    for column in range(COLUMNS):
        ids[column] = WRITE_ID + column  # ND2
    return COLUMNS


@kernel
def chance(state: State, ids: Ids, weights: Numbers) -> int:
    if state["stage"] == DEALING_TILES:
        return _tiles_left(state, ids, weights)
    die = next_die(state)
    for face in range(6):
        weights[face] = 1
        if die == 4:
            ids[face] = SHAPE_ID + face
        elif DICE[die, face] == STAR:
            ids[face] = SHAPE_ID - 1
        else:
            ids[face] = DIE_ID + DICE[die, face] - 1
    return 6


@kernel
def apply(state: State, actor: int, action: int) -> None:
    if actor < 0:
        _deal(state, action - TILE_ID)
    else:
        # `max` and `- WRITE_ID` make plain integers of whatever callers pass: compiled once only.
        _move(state, max(actor, 0), action - WRITE_ID)


@kernel
def scores(state: State, points: Numbers) -> None:
    for seat in range(state["players"]):
        points[seat] = score(state, seat)


@kernel
def winners(state: State) -> int:
    if state["stage"] != OVER:
        return 0
    best = -100  # nobody can lose as much
    won = 0
    for seat in range(state["players"]):  # ND15, ND18
        points = score(state, seat)
        if points > best:
            best = points
            won = 0
        if points == best:
            won |= 1 << seat
    return won


@kernel
def witnesses(state: State, actor: int, action: int) -> int:
    if actor >= 0 and is_secret(state):
        return 1 << actor  # ND14
    return everybody(state)


@kernel
def observe(state: State, seat: int) -> None:
    """Take back the others' hidden moves, and with them whether they have moved at all (ND14)."""
    if is_secret(state):
        for other in range(state["players"]):
            if other != seat:
                take_back(state, other)


@kernel
def determinize(state: State, seat: int, random: Random) -> None:
    pass  # that the others have not acted since the roll is as possible as anything else


@kernel
def _move(state: State, seat: int, action: int) -> None:
    if action < NAME_ID:
        _write_first(state, seat, action - WRITE_ID)
    elif action < DROP_ID:
        state["shape"][seat] = action - NAME_ID  # ND7
        state["doing"][seat] = DROP
    elif action < NUMBER_ID:
        drop(state, seat, action - DROP_ID)
    elif action < CELL_ID:
        write_number(state, seat, action - NUMBER_ID)
    elif action < DONE_ID:
        row = (action - CELL_ID) // COLUMNS
        column = (action - CELL_ID) % COLUMNS
        state["chosen"][seat, row // 7] |= 1 << (8 * (row % 7) + column)
    elif action < NONE_ID:
        if action == DONE_ID:
            circle(state, seat)
        state["doing"][seat] = NOTHING
        finish(state, seat)
    elif action == NONE_ID:  # ND9: as if it had dropped; see `end_round` for the match's end
        if state["doing"][seat] == BLOCK:
            after_block(state, seat)
        else:
            after_shape(state, seat)
    else:
        slide(state, seat, action - SLIDE_ID)


@kernel
def _deal(state: State, outcome: int) -> None:
    if outcome < DIE_ID:
        letter = 0
        while state["tiles"][letter] >= 0:
            letter += 1
        state["tiles"][letter] = outcome - TILE_ID  # ND1
        if letter == LETTERS - 1:
            state["stage"] = WRITING
            state["pending"] = everybody(state)
            for seat in range(state["players"]):
                state["doing"][seat] = WRITE
    elif outcome < SHAPE_ID:
        face = outcome - DIE_ID + 1
        state["dice"][next_die(state)] = STAR if face == 8 else face
    else:
        state["shape_die"] = outcome - SHAPE_ID
        start_round(state)


@kernel
def _tiles_left(state: State, ids: Ids, weights: Numbers) -> int:
    """ND1: tiles that are not drawn yet; in solo only the five shapes of the die."""
    drawn = 0
    for letter in range(LETTERS):
        if state["tiles"][letter] >= 0:
            drawn |= 1 << int(state["tiles"][letter])
    count = 0
    for tile in range(DIE_SHAPES if state["players"] == 1 else len(SHAPES)):
        if not (drawn >> tile) & 1:
            ids[count] = TILE_ID + tile
            weights[count] = 1
            count += 1
    return count


@kernel
def _write_first(state: State, seat: int, column: int) -> None:
    mark_cells(state, seat, 1 << column, 0, seat + 2)  # ND2: seat k writes k + 1
    state["doing"][seat] = NOTHING
    state["pending"] &= ~(1 << seat)
    if state["pending"] == 0:
        state["stage"] = ROLLING


# -- bounds, for whoever has to know before a match how long it can get ---------------------------


SOLO_SCORES = (-100, 100)  # ND15
MOST_ROUNDS = 40  # 98 cells take 24 shapes; 5 letters stop a seat once each (ND6, ND13)


def most_moves(players: int, options: dict[str, int]) -> int:
    return players * (1 + 20 * MOST_ROUNDS)  # name, drop, 4 numbers, up to 8 cells, blocks


def most_deals(players: int, options: dict[str, int]) -> int:
    return 5 + 5 * MOST_ROUNDS


RULES = Rules(
    STATE,
    setup=setup,
    to_act=to_act,
    legal=legal,
    chance=chance,
    apply=apply,
    scores=scores,
    winners=winners,
    witnesses=witnesses,
    observe=observe,
    determinize=determinize,
    bounds=Bounds(moves=most_moves, deals=most_deals, solo_scores=SOLO_SCORES),
)
