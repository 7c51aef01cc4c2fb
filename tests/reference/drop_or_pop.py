"""A deliberately naive oracle for the rules of Drop or Pop! (`drop-or-pop`), OP1 to OP8.

The board is four lists of seats, each from the bottom of its column up; groups are found by
walking over the cells. It shares no code with the engine that it is compared with.
"""

from fractions import Fraction

DEALER = -1

COLOURS = ["red", "blue", "yellow", "green"]  # the columns from left to right

COUNTERS = 6  # of every seat

ROWS = {3: 6, 4: 8}  # by number of players


class Reference:
    """One match of Drop or Pop!."""

    def __init__(self, players: int, *, turn_limit: int = 500) -> None:
        """Start with an empty board."""
        self.players = players
        self.turn_limit = turn_limit
        self.rows = ROWS[players]
        self.columns: dict[str, list[int]] = {colour: [] for colour in COLOURS}
        self.seat = 0
        self.colour: str | None = None  # the column of this turn, None until it is drawn
        self.ignored = False  # whether the first colour of this turn was ignored
        self.turns_finished = 0
        self.result: tuple[int, ...] = ()

    # ------------------------------------------------------------------ questions

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.result != ()

    @property
    def to_act(self) -> tuple[int, ...]:
        """Who acts now: the dealer whenever a colour is wanted (OP1, OP4)."""
        if self.over:
            return ()
        if self.colour is None:
            return (DEALER,)
        return (self.seat,)

    @property
    def scores(self) -> tuple[int, ...]:
        """The size of each seat's largest group."""
        return tuple(self._largest_group(seat) for seat in range(self.players))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won or drew (OP6, OP8)."""
        return self.result

    @property
    def epic(self) -> bool:
        """OP7: whether the match ended with a group of five or six that won or drew."""
        return self.over and max(self.scores) >= 5

    def legal(self, actor: int) -> set[str]:
        """Return the moves of a seat."""
        tokens: set[str] = set()
        if actor == DEALER or actor not in self.to_act:
            return tokens
        assert self.colour is not None
        column = self.columns[self.colour]
        # OP2: there has to be room, and a counter in hand.
        if len(column) < self.rows and self._on_board(actor) < COUNTERS:
            tokens.add("drop")
        # OP3: there has to be a counter to pop.
        if len(column) > 0:
            tokens.add("pop")
        if not self.ignored:
            tokens.add("ignore")  # OP4
        elif not tokens:
            tokens.add("pass")  # OP5
        return tokens

    def chance(self) -> dict[str, Fraction]:
        """OP1: each colour is as probable as any other."""
        if self.to_act != (DEALER,):
            return {}
        return {colour: Fraction(1, 4) for colour in COLOURS}

    # ------------------------------------------------------------------ events

    def apply(self, actor: int, token: str) -> None:
        """Let something happen; it has to be possible now."""
        assert actor in self.to_act, (actor, token, self.to_act)
        if actor == DEALER:
            assert token in self.chance(), token
            self.colour = token
            return
        assert token in self.legal(actor), token
        assert self.colour is not None
        move = token
        if move == "ignore":
            # OP4: the turn goes on with a second colour.
            self.ignored = True
            self.colour = None
            return
        if move == "drop":
            self.columns[self.colour].append(actor)  # OP2
        elif move == "pop":
            self.columns[self.colour].pop(0)  # OP3: the lowest; those above fall
        else:
            assert move == "pass", move
        self._end_turn()

    def _end_turn(self) -> None:
        """Look for a winner (OP6) or the end of all turns (OP8); else go on to the next seat."""
        self.turns_finished += 1
        self.colour = None
        self.ignored = False
        sizes = self.scores
        largest = max(sizes)
        if largest >= 4:
            self.result = tuple(s for s in range(self.players) if sizes[s] == largest)
        elif self.turns_finished >= self.turn_limit:
            self.result = tuple(range(self.players))
        else:
            self.seat = (self.seat + 1) % self.players

    # ------------------------------------------------------------------ the board

    def _on_board(self, seat: int) -> int:
        """Return how many counters of a seat are on the board."""
        return sum(column.count(seat) for column in self.columns.values())

    def _largest_group(self, seat: int) -> int:
        """Return the size of the largest orthogonally connected group of a seat."""
        cells: set[tuple[int, int]] = set()
        for x in range(len(COLOURS)):
            column = self.columns[COLOURS[x]]
            for y in range(len(column)):
                if column[y] == seat:
                    cells.add((x, y))
        largest = 0
        for start in cells:
            group = {start}
            to_visit = [start]
            while to_visit:
                x, y = to_visit.pop()
                for neighbour in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]:
                    if neighbour in cells and neighbour not in group:
                        group.add(neighbour)
                        to_visit.append(neighbour)
            largest = max(largest, len(group))
        return largest
