"""A deliberately naive oracle for Depot, to be compared move for move with the fast engine.

Written from the rules page alone. Every pile is a plain list of numbers, every question is
answered by looking at everything again, and nothing is cached. Slow is fine; clever is not.
The numbers DP1 to DP13 are those of the rules page.
"""

from collections import Counter
from fractions import Fraction
from itertools import pairwise

DEALER = -1
NUMBERS = range(1, 9)
COPIES = {1: 13, 2: 12, 3: 11, 4: 10, 5: 10, 6: 9, 7: 8, 8: 7}

# What the match waits for.
DEAL = "deal"  # a card for a hand (DP1)
SETUP = "setup"  # a card for the first Storage of a game (DP1)
TURN = "turn"  # a seat plays or begins a pass (DP3, DP6)
GIVE = "give"  # the same seat ends its pass with give or keep (DP6)
FILL = "fill"  # a card for the Storage after a pass (DP6)
GROW = "grow"  # a card for the Storage after a round (DP9)
OVER = "over"


def all_cards_of_the_game() -> list[int]:
    """Return the 80 cards."""
    return [number for number in NUMBERS for _ in range(COPIES[number])]


def is_same(cards: list[int]) -> bool:
    """Tell whether two or more cards all have one number."""
    return len(cards) >= 2 and len(set(cards)) == 1


def is_run(cards: list[int]) -> bool:
    """Tell whether two or more ascending cards go up by one each time (so never 8 to 1, DP3)."""
    return len(cards) >= 2 and all(b == a + 1 for a, b in pairwise(cards))


def most_frequent(storage: list[int]) -> int:
    """Return how many cards the most frequent number of the Storage has (0 when empty)."""
    return max(storage.count(number) for number in NUMBERS)


def longest_run(storage: list[int]) -> int:
    """Return how many consecutive numbers the longest run in the Storage has (0 when empty)."""
    longest = 0
    for low in NUMBERS:
        for high in range(low, 9):
            if all(number in storage for number in range(low, high + 1)):
                longest = max(longest, high - low + 1)
    return longest


def is_allowed(cards: list[int], storage: list[int]) -> bool:
    """DP3: tell whether the Storage allows this combination (ascending cards)."""
    if len(cards) == 1:
        return True
    if is_same(cards):
        return len(cards) <= most_frequent(storage)
    if is_run(cards):
        return len(cards) <= longest_run(storage)
    return False


def beats(cards: list[int], table: list[int]) -> bool:
    """DP4: more cards, or equally many with a higher sum. Anything beats no play at all (DP2)."""
    if len(cards) != len(table):
        return len(cards) > len(table)
    return sum(cards) > sum(table)


def candidates() -> list[list[int]]:
    """Return every combination that could ever be a play: all sets and all runs there are."""
    plays = [[number] * size for number in NUMBERS for size in range(1, COPIES[number] + 1)]
    plays += [list(range(low, high + 1)) for low in NUMBERS for high in range(low + 1, 9)]
    return plays


def holds(hand: list[int], cards: list[int]) -> bool:
    """Tell whether the hand has all these cards."""
    return all(hand.count(number) >= cards.count(number) for number in cards)


class Reference:
    """One match of Depot."""

    # The state of the current game; `_start_game` sets all of it.
    phase: str
    deck: list[int]
    discards: list[int]
    storage: list[int]
    table: list[int]  # the last play of this round, [] before the first
    hands: list[list[int]]
    seen: list[Counter[int]]  # by seat: numbers taken in the open and still held
    set_size: int
    mover: int
    last_player: int
    taken: int  # the number taken in an unfinished pass, else 0
    passes: int  # in a row since the last play
    turns: int  # finished turns of this game

    def __init__(
        self,
        players: int,
        *,
        games: int = 1,
        all_cards: bool = False,
        turn_limit: int = 1000,
    ) -> None:
        self.players = players
        self.games = games
        self.all_cards = all_cards
        self.turn_limit = turn_limit
        self.lost = [0] * players  # lost points so far (DP12)
        self.aside: list[int] = []  # cards that lie before seats as lost points (DP12)
        self.game = 0
        self.winners: tuple[int, ...] = ()
        self._start_game()

    # ------------------------------------------------------------------ questions

    @property
    def over(self) -> bool:
        return self.phase == OVER

    @property
    def to_act(self) -> tuple[int, ...]:
        if self.phase == OVER:
            return ()
        if self.phase in (TURN, GIVE):
            return (self.mover,)
        return (DEALER,)

    @property
    def scores(self) -> tuple[int, ...]:
        if self.games == 1:
            return tuple(len(hand) for hand in self.hands)
        return tuple(self.lost)

    def known(self, seat: int) -> Counter[int]:
        """Return the numbers everybody saw the seat take and not play or give since."""
        return Counter(self.seen[seat])

    def legal(self, actor: int) -> set[str]:
        """Return the tokens open to a seat."""
        if actor == DEALER or actor not in self.to_act:
            return set()
        hand = self.hands[actor]
        if self.phase == GIVE:
            # DP6: one card of another number than the one taken, or none.
            return {"keep"} | {f"give {number}" for number in hand if number != self.taken}
        tokens = set()
        for cards in candidates():
            if holds(hand, cards) and is_allowed(cards, self.storage) and beats(cards, self.table):
                tokens.add("play " + " ".join(str(number) for number in cards))
        if self.table:  # DP2: with no play on the table this seat starts the round and must play
            if self.storage:
                tokens |= {f"take {number}" for number in self.storage}  # DP6
            else:
                tokens.add("pass")  # DP7
        return tokens

    def chance(self) -> dict[str, Fraction]:
        """Return the dealer's tokens with their exact probabilities."""
        if self.to_act != (DEALER,):
            return {}
        pool = self.deck if self.deck else self.discards  # DP7
        word = "deal" if self.phase == DEAL else "store"
        return {
            f"{word} {number}": Fraction(pool.count(number), len(pool))
            for number in NUMBERS
            if number in pool
        }

    # ------------------------------------------------------------------ moves

    def apply(self, actor: int, token: str) -> None:
        """Do one legal event."""
        assert actor in self.to_act, (actor, token)
        if actor == DEALER:
            assert token in self.chance(), token
        else:
            assert token in self.legal(actor), token
        word, *rest = token.split(" ")
        numbers = [int(part) for part in rest]
        if word == "deal":
            self._deal(numbers[0])
        elif word == "store":
            self._store(numbers[0])
        elif word == "play":
            self._play(numbers)
        elif word == "take":
            self._take(numbers[0])
        elif word == "give":
            self._leave_hand(numbers[0])
            self._into_storage(numbers[0])
            self._end_pass()
        else:  # keep, pass
            self._end_pass()
        self._go_on()

    def _deal(self, number: int) -> None:
        """DP1: seat by seat, the first hand that is not full gets the card."""
        self._draw(number)
        seat = self._seats_to_deal()[0]
        self.hands[seat] = sorted([*self.hands[seat], number])

    def _store(self, number: int) -> None:
        self._draw(number)
        self._into_storage(number)

    def _play(self, cards: list[int]) -> None:
        self.discards += self.table  # DP5
        self.table = []
        for number in cards:
            self._leave_hand(number)
            self.table.append(number)
        self.last_player = self.mover
        self.passes = 0  # DP9
        self.turns += 1
        if not self.hands[self.mover]:
            self._end_game()  # DP10: at once
        else:
            self._begin_turn((self.mover + 1) % self.players)

    def _take(self, number: int) -> None:
        """DP6: all cards of the number go to the hand; give or keep follows."""
        count = self.storage.count(number)
        self.storage = [card for card in self.storage if card != number]
        self.hands[self.mover] = sorted(self.hands[self.mover] + [number] * count)
        self.seen[self.mover][number] += count
        self.taken = number
        self.phase = GIVE

    def _end_pass(self) -> None:
        self.taken = 0
        self.passes += 1
        self.turns += 1  # DP10: a whole pass is one turn
        self.phase = FILL

    # ------------------------------------------------------------------ small steps

    def _draw(self, number: int) -> None:
        """Take one card out of the deck."""
        if not self.deck:  # DP7: the discards become the deck when a card must be drawn
            self.deck = self.discards
            self.discards = []
        self.deck.remove(number)

    def _into_storage(self, number: int) -> None:
        self.storage = sorted([*self.storage, number])

    def _leave_hand(self, number: int) -> None:
        """Take a card out of the mover's hand, in the sight of everybody."""
        self.hands[self.mover].remove(number)
        if self.seen[self.mover][number] > 0:
            self.seen[self.mover][number] -= 1
        self.seen[self.mover] = +self.seen[self.mover]  # drops the zeros

    def _seats_to_deal(self) -> list[int]:
        """DP1: the seats whose hands are not full yet, in order."""
        size = 8 if self.players == 5 else 9
        return [seat for seat in range(self.players) if len(self.hands[seat]) < size]

    def _storage_can_grow(self) -> bool:
        """DP7: a short Storage is filled only while there is a card somewhere to draw."""
        short = len(self.storage) < self.set_size
        return short and (len(self.deck) > 0 or len(self.discards) > 0)

    # ------------------------------------------------------------------ the course of a match

    def _start_game(self) -> None:
        """Begin game number `self.game`."""
        if self.all_cards:
            self.aside = []  # DP13: lost points are only written down, the cards go back
        self.deck = all_cards_of_the_game()
        for number in self.aside:  # DP13: otherwise they stay out
            self.deck.remove(number)
        self.discards = []
        self.storage = []
        self.table = []
        self.hands = [[] for _ in range(self.players)]
        self.seen = [Counter() for _ in range(self.players)]
        self.set_size = 3 if self.players == 3 else 4  # DP1, anew in every game (DP13)
        self.mover = self.game  # DP2, DP13: game k is started by seat k
        self.last_player = self.game  # the starter has to play, so this will be true
        self.taken = 0
        self.passes = 0
        self.turns = 0
        self.phase = DEAL

    def _go_on(self) -> None:
        """Leave every dealer's phase that has no card left to draw."""
        if self.phase == DEAL and not self._seats_to_deal():
            self.phase = SETUP
        if self.phase == SETUP and not self._storage_can_grow():
            self._begin_turn(self.game)
        if self.phase == FILL and not self._storage_can_grow():
            if self.passes == self.players - 1:
                self._end_round()
            else:
                self._begin_turn((self.mover + 1) % self.players)  # DP8: nobody drops out
        if self.phase == GROW and not self._storage_can_grow():
            self._begin_turn(self.last_player)  # DP9

    def _begin_turn(self, seat: int) -> None:
        if self.turns == self.turn_limit:  # DP10: one turn more than allowed would begin
            self._end_game()
        else:
            self.mover = seat
            self.phase = TURN

    def _end_round(self) -> None:
        """DP9: the last play is discarded and the Storage grows by one."""
        self.discards += self.table
        self.table = []
        self.passes = 0
        self.set_size += 1
        self.phase = GROW

    def _end_game(self) -> None:
        if self.games == 1:
            # DP10: fewest cards, then the higher sum. An empty hand is alone with no cards.
            best = min(self._rank_key(seat)[:2] for seat in range(self.players))
            self.winners = tuple(
                seat for seat in range(self.players) if self._rank_key(seat)[:2] == best
            )
            self.phase = OVER
            return
        self._hand_out_lost_points()
        self.game += 1
        if self.game < self.games:
            self._start_game()
        else:  # DP13
            fewest = min(self.lost)
            self.winners = tuple(seat for seat in range(self.players) if self.lost[seat] == fewest)
            self.phase = OVER

    def _rank_key(self, seat: int) -> tuple[int, int, int]:
        """DP11: smaller is better: cards, minus the sum, places after the last player."""
        hand = self.hands[seat]
        places = 1
        while (self.last_player + places) % self.players != seat:
            places += 1  # 1 for the next seat, up to `players` for the last player itself
        return (len(hand), -sum(hand), places)

    def _hand_out_lost_points(self) -> None:
        """DP12: from the last rank up to the second."""
        ranking = sorted(range(self.players), key=self._rank_key)
        below = 9  # the number that the rank below took: every number is lower than this one
        for seat in reversed(ranking[1:]):
            lower = [number for number in self.storage if number < below]
            if lower:
                number = max(lower)
            elif below in self.storage:
                number = below
            else:
                return  # neither this rank nor those above take a card
            self.storage.remove(number)
            self.aside.append(number)
            self.lost[seat] += number
            below = number
