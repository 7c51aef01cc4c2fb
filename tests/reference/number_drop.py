"""Number Drop, written a second time as a deliberately naive oracle for tests.

Nothing here is fast or clever: grids are dicts, combos are found by trying every extension, and
falling shapes are moved down one row at a time. It was written from the rules page alone, without
the engine, so that the two can be compared move for move. ND1, ND2 ... are that page's rules.
"""

from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction

Cell = tuple[int, int]  # (row, column)
Job = tuple[str, str]  # (what the seat has to do, the block tile concerned or "")

DEALER = -1
COLUMNS = range(1, 8)
ROWS = range(1, 15)
SAFE_ROWS = range(1, 12)  # under the Game Over line: +2 each when full
DANGER_ROWS = range(12, 15)  # above the line: -5 each when marked
LETTERS = ["A", "B", "C", "D", "E"]
LETTER_VALUES = {"A": 3, "B": 4, "C": 5, "D": 6, "E": 7}
NOTCHES = 4

NUMBER_DICE = [
    ["1", "3", "4", "5", "7", "*"],
    ["1", "2", "4", "5", "6", "*"],
    ["2", "3", "4", "6", "7", "*"],
    ["1", "2", "3", "5", "6", "7"],
]
SHAPES = ["I", "O", "T", "L", "S"]
SHAPE_DIE = ["I", "O", "T", "L", "S", "*"]
ALL_TILES = ["I", "O", "T", "L", "S", "I3", "L3", "U5", "X5", "T5"]

PICTURES = {
    "I": ["####"],
    "O": ["##", "##"],
    "T": ["###", ".#."],
    "L": ["#.", "#.", "##"],
    "S": [".##", "##."],
    "I3": ["###"],
    "L3": ["#.", "##"],
    "U5": ["#.#", "###"],
    "X5": [".#.", "###", ".#."],
    "T5": ["###", ".#.", ".#."],
}


def shifted(cells: list[Cell]) -> list[Cell]:
    """The cells moved so that the lowest row and the leftmost column are 0, sorted."""
    low = min(row for row, _ in cells)
    left = min(column for _, column in cells)
    return sorted((row - low, column - left) for row, column in cells)


def orientations(shape: str) -> list[list[Cell]]:
    """Every rotation and mirror image of a shape, without repeats, in numbering order."""
    picture = PICTURES[shape]
    cells = [
        (row, column)
        for row, line in enumerate(reversed(picture))
        for column, char in enumerate(line)
        if char == "#"
    ]
    found: list[list[Cell]] = []
    for _ in range(4):
        cells = [(-column, row) for row, column in cells]
        mirrored = [(row, -column) for row, column in cells]
        for version in (shifted(cells), shifted(mirrored)):
            if version not in found:
                found.append(version)
    return sorted(found)


ORIENTATIONS = {shape: orientations(shape) for shape in PICTURES}


def landing(grid: dict[Cell, str], cells: list[Cell], left: int) -> list[Cell]:
    """Where the oriented shape comes to rest when it falls straight down (ND8)."""
    now = [(row + 15, column + left) for row, column in cells]
    while True:
        below = [(row - 1, column) for row, column in now]
        if any(row < 1 or (row, column) in grid for row, column in below):
            return now
        now = below


def drops(grid: dict[Cell, str], shape: str) -> dict[str, list[Cell]]:
    """Every legal drop of a shape, `at O C` -> the cells it fills, in cell order (ND8, ND9)."""
    result: dict[str, list[Cell]] = {}
    for number, cells in enumerate(ORIENTATIONS[shape]):
        for left in COLUMNS:
            if any(column + left > 7 for _, column in cells):
                continue
            rest = landing(grid, cells, left)
            if all(row in ROWS for row, _ in rest):
                result[f"at {number} {left}"] = rest
    return result


def neighbours(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]


@dataclass
class Sheet:
    """What one seat has on paper, and what it is in the middle of."""

    grid: dict[Cell, str] = field(default_factory=dict)
    used: set[Cell] = field(default_factory=set)  # cells in circled combos
    circles: dict[str, set[int]] = field(
        default_factory=lambda: {"identical": set(), "consecutive": set()}
    )  # values 3-7 circled, per kind
    bonus: bool = False  # the value 8
    letters: set[str] = field(default_factory=set)  # circled, whether or not crossed off since
    full_rows: set[int] = field(default_factory=set)  # rows whose +2 is earned
    # Phase 3 under way:
    shape: str = ""
    to_fill: list[Cell] = field(default_factory=list)
    dice: list[str] = field(default_factory=list)
    # Phase 4 under way:
    chosen: list[Cell] = field(default_factory=list)

    def is_open(self, kind: str, size: int) -> bool:
        """ND11: 3-7 once for each kind, 8 once for both together."""
        if size == 8:
            return not self.bonus
        return 3 <= size <= 7 and size not in self.circles[kind]

    def free(self, cell: Cell) -> bool:
        """A number not in a combo yet (ND10); Xs never count (ND5)."""
        return cell in self.grid and self.grid[cell] != "X" and cell not in self.used

    def kinds(self, cells: list[Cell]) -> list[str]:
        """The kinds of combo that the cells chosen so far can be: the second decides (ND10)."""
        if len(cells) < 2:
            return ["identical", "consecutive"]
        if self.grid[cells[0]] == self.grid[cells[1]]:
            return ["identical"]
        return ["consecutive"]

    def next_cells(self, kind: str, cells: list[Cell]) -> set[Cell]:
        """The cells that can be added to a piece of a combo of this kind (ND10)."""
        result: set[Cell] = set()
        if kind == "identical":
            for cell in cells:
                for other in neighbours(cell):
                    if not self.free(other) or other in cells:
                        continue
                    if self.grid[other] == self.grid[cell]:
                        result.add(other)
        else:
            for other in neighbours(cells[-1]):
                if self.free(other) and int(self.grid[other]) == int(self.grid[cells[-1]]) + 1:
                    result.add(other)
        return result

    def leads_somewhere(self, kind: str, cells: list[Cell], hopeless: set[frozenset[Cell]]) -> bool:
        """Try every extension: are these cells an open combo, or can they grow into one?

        `hopeless` remembers, for one kind, the sets already found to lead nowhere. (The cells of
        a path are always chosen upward, so the set tells the path.)
        """
        if self.is_open(kind, len(cells)):
            return True
        if not any(self.is_open(kind, size) for size in range(len(cells) + 1, 9)):
            return False
        if frozenset(cells) in hopeless:
            return False
        for other in sorted(self.next_cells(kind, cells)):
            if self.leads_somewhere(kind, [*cells, other], hopeless):
                return True
        hopeless.add(frozenset(cells))
        return False

    def circle_moves(self) -> set[str]:
        """Phase 4 (ND10)."""
        moves: set[str] = set()
        for kind in self.kinds(self.chosen):
            hopeless: set[frozenset[Cell]] = set()
            if self.chosen:
                candidates = self.next_cells(kind, self.chosen)
            else:
                candidates = {cell for cell in self.grid if self.free(cell)}
            for cell in candidates:
                if self.leads_somewhere(kind, [*self.chosen, cell], hopeless):
                    moves.add(f"cell {cell[1]} {cell[0]}")
            if self.is_open(kind, len(self.chosen)):
                moves.add("done")
        if not self.chosen:
            moves.add("skip")
        return moves

    def drop_moves(self, shape: str) -> set[str]:
        """`at O C` for every legal drop; `none` when there is none (ND9)."""
        return set(drops(self.grid, shape)) or {"none"}

    def name_moves(self) -> set[str]:
        """`as S` for every shape that has a legal drop; `none` when there is none (ND7, ND9)."""
        return {f"as {shape}" for shape in SHAPES if drops(self.grid, shape)} or {"none"}

    def number_moves(self) -> set[str]:
        """ND7: the numbers of the dice left, and any number at all while a `*` is left."""
        moves = {f"num {face}" for face in self.dice if face != "*"}
        if "*" in self.dice:
            moves |= {f"num {number}" for number in range(10)}
        return moves

    def score(self, ended: bool) -> int:
        """ND15 with what is on the sheet now; the -5s only when the match has ended (ND13)."""
        total = 2 * len(self.full_rows)
        if ended:
            total -= 5 * len({row for row, _ in self.grid if row in DANGER_ROWS})
        for values in self.circles.values():
            total += sum(values)
            if values == {3, 4, 5, 6, 7}:
                total += 10
        if self.bonus:
            total += 8
        return total


class Reference:
    """One match of Number Drop."""

    def __init__(self, players: int, **options: str) -> None:
        self.players = players
        self.order = options.get("order", "rulebook")
        self.sheets = [Sheet() for _ in range(players)]
        self.tiles: dict[str, str] = {}  # letter -> tile
        self.crossed_off: set[str] = set()
        self.heights = dict.fromkeys(LETTERS, NOTCHES)  # solo: notches above GO!
        self.active = 0
        self.rolled: list[str] = []  # this round's faces: four number dice, then the shape die
        self.stage = "tiles"  # tiles, writes, roll, play, over
        # What is still to be done this round, in clockwise order. A seat's own jobs are done in
        # the order of the list; `order` says whether seats wait for each other.
        self.agenda: list[tuple[int, Job]] = []
        self.letter_in_play = ""  # the letter that phase 2 resolves this round
        self.stuck = False  # some seat had no legal drop this round (ND9)
        self.at_roll: list[Sheet] = []  # the sheets as they were when the dice were rolled

    # What can be asked

    @property
    def solo(self) -> bool:
        return self.players == 1

    @property
    def over(self) -> bool:
        return self.stage == "over"

    @property
    def to_act(self) -> tuple[int, ...]:
        if self.stage == "over":
            return ()
        if self.stage in ("tiles", "roll"):
            return (DEALER,)
        if self.stage == "writes" or self.order == "clockwise":
            return (self.agenda[0][0],)  # ND2, ND14
        busy = {seat for seat, _ in self.agenda}
        if self.order == "rulebook":  # ND14: nobody circles before all have dropped
            dropping = {seat for seat, (kind, _) in self.agenda if kind != "circle"}
            busy = dropping or {self.agenda[0][0]}
        return tuple(sorted(busy))  # ND14

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(sheet.score(self.over) for sheet in self.sheets)

    @property
    def winners(self) -> tuple[int, ...]:
        """ND15: the highest total, ties shared; ND18: seat 0 in solo."""
        if not self.over:
            return ()
        return tuple(seat for seat in range(self.players) if self.scores[seat] == max(self.scores))

    def known(self, viewer: int | None, seat: int) -> Sheet:
        """A seat's sheet as far as another seat, or a spectator (None), may know it (ND14)."""
        hidden = self.stage == "play" and not self.solo and seat != viewer
        if self.order == "clockwise":
            hidden = False
        elif self.order == "rulebook":
            hidden = hidden and any(kind != "circle" for _, (kind, _) in self.agenda)
        return self.at_roll[seat] if hidden else self.sheets[seat]

    def chance(self) -> dict[str, Fraction]:
        if self.stage == "tiles":  # ND1
            bag = [
                tile
                for tile in (SHAPES if self.solo else ALL_TILES)
                if tile not in self.tiles.values()
            ]
            return {f"tile {tile}": Fraction(1, len(bag)) for tile in bag}
        if self.stage == "roll":  # ND3
            if len(self.rolled) < 4:
                return {f"die {face}": Fraction(1, 6) for face in NUMBER_DICE[len(self.rolled)]}
            return {f"shape {face}": Fraction(1, 6) for face in SHAPE_DIE}
        return {}

    def legal(self, actor: int) -> set[str]:
        if actor == DEALER or actor not in self.to_act:
            return set()
        sheet = self.sheets[actor]
        kind, tile = self.job(actor)
        if kind == "write":
            return {f"write {column}" for column in COLUMNS}  # ND2
        if kind == "first slide":
            return {f"slide {letter}" for letter in self.can_slide()}  # ND16
        if kind == "second slide":
            return {f"slide {letter}" for letter in self.second_slides()}  # ND16
        if kind == "block":
            return sheet.drop_moves(tile)  # ND5, ND17
        if kind == "name":
            return sheet.name_moves()  # ND7
        if kind == "drop":
            return sheet.drop_moves(sheet.shape)  # ND7
        if kind == "number":
            return sheet.number_moves()  # ND7
        assert kind == "circle"
        return sheet.circle_moves()  # ND10

    # What can be done

    def apply(self, actor: int, token: str) -> None:
        assert actor in self.to_act, (actor, token, self.to_act)
        if actor == DEALER:
            assert token in self.chance(), (actor, token)
            self.deal(token.split()[1])
        else:
            assert token in self.legal(actor), (actor, token, self.legal(actor))
            self.play(actor, token)

    def deal(self, outcome: str) -> None:
        if self.stage == "tiles":  # ND1
            self.tiles[LETTERS[len(self.tiles)]] = outcome
            if len(self.tiles) == 5:
                self.stage = "writes"
                self.agenda = [(seat, ("write", "")) for seat in range(self.players)]
            return
        self.rolled.append(outcome)  # ND3
        if len(self.rolled) == 5:
            self.after_roll()

    def play(self, seat: int, token: str) -> None:
        words = token.split()
        sheet = self.sheets[seat]
        kind, tile = self.job(seat)
        if kind == "write":  # ND2
            sheet.grid[1, int(words[1])] = str(seat + 1)
            self.replace_job(seat, [])
            if not self.agenda:
                self.stage = "roll"
            return
        if kind in ("first slide", "second slide"):
            self.slide(seat, kind, words[1])
        elif token == "none":  # ND9
            self.stuck = True
            self.replace_job(seat, [])
        elif kind == "block":  # ND5, ND17
            for cell in drops(sheet.grid, tile)[token]:
                sheet.grid[cell] = "X"
            self.replace_job(seat, [])
        elif kind == "name":  # ND7
            sheet.shape = words[1]
            self.replace_job(seat, [("drop", "")])
        elif kind == "drop":  # ND7
            sheet.to_fill = list(drops(sheet.grid, sheet.shape)[token])
            self.replace_job(seat, [("number", "")] * 4)
        elif kind == "number":  # ND7: a die that shows the number goes before a `*`
            number = words[1]
            sheet.grid[sheet.to_fill.pop(0)] = number
            sheet.dice.remove(number if number in sheet.dice else "*")
            self.replace_job(seat, [])
        else:
            assert kind == "circle"
            self.circle(seat, words)
        if not self.agenda:
            self.end_round()

    def job(self, seat: int) -> Job:
        """What the seat has to do next."""
        return next(job for owner, job in self.agenda if owner == seat)

    def replace_job(self, seat: int, jobs: list[Job]) -> None:
        """The seat's next job is done; these come in its place."""
        for index, (owner, _) in enumerate(self.agenda):
            if owner == seat:
                self.agenda[index : index + 1] = [(seat, job) for job in jobs]
                return

    # The round

    def clockwise(self) -> list[int]:
        """The seats in turn from the active one."""
        return [(self.active + step) % self.players for step in range(self.players)]

    def after_roll(self) -> None:
        self.stage = "play"
        self.at_roll = deepcopy(self.sheets)
        shape = self.rolled[4]
        self.letter_in_play = ""
        self.agenda = []
        if self.solo:
            self.agenda.append((0, ("first slide", "")))  # ND16
        elif "*" in self.rolled:
            self.letter_in_play = self.first_active_letter()  # ND4
        if self.letter_in_play:  # ND5, ND6: blocks, and no phase 3 or 4
            for seat in self.clockwise():
                if self.letter_in_play not in self.sheets[seat].letters:
                    self.agenda.append((seat, ("block", self.tiles[self.letter_in_play])))
            if not self.agenda:
                self.end_round()
            return
        for seat in self.clockwise():  # ND7
            self.sheets[seat].dice = self.rolled[:4]
            self.sheets[seat].shape = shape
            self.agenda.append((seat, ("name" if shape == "*" else "drop", "")))
        for seat in self.clockwise():  # ND10
            self.sheets[seat].chosen = []
            self.agenda.append((seat, ("circle", "")))

    def first_active_letter(self) -> str:
        """ND4: the first letter that some seat has circled and that is not crossed off, or ""."""
        for letter in LETTERS:
            circled = any(letter in sheet.letters for sheet in self.sheets)
            if circled and letter not in self.crossed_off:
                return letter
        return ""

    def circle(self, seat: int, words: list[str]) -> None:
        """Phase 4 (ND10-ND12)."""
        sheet = self.sheets[seat]
        if words[0] == "cell":
            sheet.chosen.append((int(words[2]), int(words[1])))
            return
        if words[0] == "done":
            (kind,) = sheet.kinds(sheet.chosen)
            value = len(sheet.chosen)
            sheet.used |= set(sheet.chosen)
            sheet.chosen = []
            if value == 8:
                sheet.bonus = True  # ND11
            else:
                sheet.circles[kind].add(value)
            for letter in LETTERS:  # ND12
                both = all(LETTER_VALUES[letter] in values for values in sheet.circles.values())
                if both and letter not in self.crossed_off:
                    sheet.letters.add(letter)
        self.replace_job(seat, [])

    def end_round(self) -> None:
        """Phase 5 (ND13), after the end of phase 2 if that is what the round was (ND6)."""
        if self.letter_in_play:
            self.crossed_off.add(self.letter_in_play)
        for sheet in self.sheets:
            for row in SAFE_ROWS:
                if all((row, column) in sheet.grid for column in COLUMNS):
                    sheet.full_rows.add(row)
        crossed_line = any(row in DANGER_ROWS for sheet in self.sheets for row, _ in sheet.grid)
        all_down = self.solo and not self.can_slide()  # ND18
        if crossed_line or all_down or self.stuck:  # ND13, ND18, ND9
            self.stage = "over"
            return
        self.active = (self.active + 1) % self.players
        self.rolled = []
        self.stage = "roll"

    # Solo

    def can_slide(self) -> list[str]:
        """The letters whose tile is not at the bottom."""
        return [letter for letter in LETTERS if self.heights[letter] > 0]

    def second_slides(self) -> list[str]:
        """ND16: none without a `*`; else the rolled shape's tile, or any if the shape is `*`."""
        if "*" not in self.rolled:
            return []
        return [
            letter for letter in self.can_slide() if self.rolled[4] in ("*", self.tiles[letter])
        ]

    def slide(self, seat: int, kind: str, letter: str) -> None:
        """ND16, ND17."""
        self.heights[letter] -= 1
        jobs: list[Job] = []
        if self.heights[letter] == 0 and letter not in self.sheets[seat].letters:
            jobs.append(("block", self.tiles[letter]))
        if kind == "first slide" and self.second_slides():
            jobs.append(("second slide", ""))
        self.replace_job(seat, jobs)
