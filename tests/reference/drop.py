"""A deliberately naive oracle for the rules of Drop. (`drop`), DR1 to DR7.

The board is a dict from every cell to what stands on it, and each rule is carried out by walking
over that dict. It shares no code with the engine that it is compared with.
"""

from fractions import Fraction

Cell = tuple[int, int]

BLACK = 0  # DR1: the colour of seat 0
WHITE = 1
DUD = 2  # DR5: it has no colour
EMPTY = 3

DIRECTIONS: list[Cell] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]

# The six cells round the centre, going round: each is a neighbour of the one before.
ROUND_THE_CENTRE: list[Cell] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


class Reference:
    """One match of Drop."""

    def __init__(
        self,
        players: int = 2,
        *,
        size: int = 6,
        pieces: int = 32,
        opening: str = "dud",
        squeeze: str = "any",
    ) -> None:
        """Set up the board; black begins."""
        self.players = players
        self.size = size
        self.squeeze = squeeze
        self.board: dict[Cell, int] = {}
        for q in range(-size, size + 1):
            for r in range(-size, size + 1):
                if abs(q) < size and abs(r) < size and abs(q + r) < size:
                    self.board[(q, r)] = EMPTY
        self.board[(0, 0)] = DUD
        if opening == "ring":
            colour = BLACK
            for cell in ROUND_THE_CENTRE:
                self.board[cell] = colour
                colour = WHITE if colour == BLACK else BLACK
        self.left = [pieces, pieces]  # pieces that each seat has still to place
        self.squeezed = [0, 0]  # pieces of each colour that left the board
        self.seat = BLACK
        self.placements_left = 1  # DR1: black's first turn is one piece

    # ------------------------------------------------------------------ questions

    @property
    def over(self) -> bool:
        """DR6: all pieces are placed, or there is no cell to place on."""
        return self.left == [0, 0] or not self._free_cells()

    @property
    def to_act(self) -> tuple[int, ...]:
        """Who acts now."""
        if self.over:
            return ()
        return (self.seat,)

    @property
    def scores(self) -> tuple[int, ...]:
        """DR7: the size of each seat's largest group."""
        return (self._largest_group(BLACK), self._largest_group(WHITE))

    @property
    def winners(self) -> tuple[int, ...]:
        """DR7: the larger group wins; both seats if they are equal."""
        if not self.over:
            return ()
        black, white = self.scores
        if black > white:
            return (BLACK,)
        if white > black:
            return (WHITE,)
        return (BLACK, WHITE)

    def legal(self, actor: int) -> set[str]:
        """Return the moves of a seat (DR2)."""
        if actor not in self.to_act:
            return set()
        return {f"{q},{r}" for q, r in self._free_cells()}

    def chance(self) -> dict[str, Fraction]:
        """Return nothing: there is no chance in this game."""
        return {}

    # ------------------------------------------------------------------ events

    def apply(self, actor: int, token: str) -> None:
        """Let a seat place a piece; it has to be legal."""
        assert token in self.legal(actor), (actor, token)
        q, r = token.split(",")
        cell = (int(q), int(r))
        self.board[cell] = actor
        self.left[actor] -= 1
        for direction in DIRECTIONS:
            self._push(cell, direction)
        self._remove_squeezed()
        self._next_placement()

    def _push(self, cell: Cell, direction: Cell) -> None:
        """DR3: move the line next to the cell one step outward, if there is room behind it."""
        line: list[Cell] = []
        here = _step(cell, direction)
        while here in self.board and self.board[here] != EMPTY:
            line.append(here)
            here = _step(here, direction)
        if here not in self.board:
            return  # the line reaches the edge
        # `here` is the empty cell behind the line: move the far end first.
        for piece_cell in reversed(line):
            self.board[_step(piece_cell, direction)] = self.board[piece_cell]
            self.board[piece_cell] = EMPTY

    def _remove_squeezed(self) -> None:
        """DR4: find all squeezed pieces first, then take them off together."""
        squeezed = [cell for cell in self.board if self._is_squeezed(cell)]
        for cell in squeezed:
            self.squeezed[self.board[cell]] += 1
            self.board[cell] = EMPTY

    def _is_squeezed(self, cell: Cell) -> bool:
        """DR4: a piece with four or more neighbours of one colour (DR5: the dud never is)."""
        piece = self.board[cell]
        if piece not in (BLACK, WHITE):
            return False
        for colour in (BLACK, WHITE):
            if self.squeeze == "enemy" and colour == piece:
                continue
            count = 0
            for direction in DIRECTIONS:
                neighbour = _step(cell, direction)
                if neighbour in self.board and self.board[neighbour] == colour:
                    count += 1
            if count >= 4:
                return True
        return False

    def _next_placement(self) -> None:
        """DR1: two placements a turn by turns; one if only one piece is left."""
        self.placements_left -= 1
        if self.placements_left == 0:
            self.seat = WHITE if self.seat == BLACK else BLACK
            self.placements_left = min(2, self.left[self.seat])

    # ------------------------------------------------------------------ the board

    def _free_cells(self) -> list[Cell]:
        """DR2: the empty cells that are not in the outer ring."""
        return [
            cell
            for cell in self.board
            if self.board[cell] == EMPTY and not self._in_outer_ring(cell)
        ]

    def _in_outer_ring(self, cell: Cell) -> bool:
        """Tell whether the cell is at the edge: some neighbour of it is off the board."""
        return any(_step(cell, direction) not in self.board for direction in DIRECTIONS)

    def _largest_group(self, colour: int) -> int:
        """DR7: the size of the largest connected group of a colour."""
        largest = 0
        seen: set[Cell] = set()
        for start in self.board:
            if self.board[start] != colour or start in seen:
                continue
            group = {start}
            to_visit = [start]
            while to_visit:
                cell = to_visit.pop()
                for direction in DIRECTIONS:
                    neighbour = _step(cell, direction)
                    if neighbour in group or neighbour not in self.board:
                        continue
                    if self.board[neighbour] == colour:
                        group.add(neighbour)
                        to_visit.append(neighbour)
            seen |= group
            largest = max(largest, len(group))
        return largest


def _step(cell: Cell, direction: Cell) -> Cell:
    """Return the next cell in a direction."""
    return (cell[0] + direction[0], cell[1] + direction[1])
