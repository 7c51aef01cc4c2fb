"""A deliberately naive oracle for the rules of Drop Site (`drop-site`), DS1 to DS12.

It favours being obviously right over everything else: the deck, the hands and the reserves are
plain lists of numbers, and every question is answered by looking at all of them again. It shares
no code with the engine that it is compared with.
"""

from collections.abc import Sequence
from fractions import Fraction

DEALER = -1

# Points of the cards 0, 1, ... 12 (the reconstructed table).
POINTS = (3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7)

# DS7: the round ends when this many sites exist, by number of players.
SITES_THAT_END_A_ROUND = {2: 6, 3: 7, 4: 8}

HAND_SIZE = 5


class Reference:
    """One match of Drop Site."""

    def __init__(
        self,
        players: int,
        *,
        target: int = 100,
        points: Sequence[int] = POINTS,
        round_limit: int = 100,
    ) -> None:
        """Start a match; the first thing to happen is the dealing of round one."""
        self.players = players
        self.target = target
        self.points = list(points)
        self.round_limit = round_limit
        self.totals = [0] * players
        self.rounds_finished = 0
        self.finished = False
        # The state of the round, set up by _start_round.
        self.deck: list[int] = []
        self.hands: list[list[int]] = []
        self.reserves: list[list[int]] = []
        self.sites: list[list[int]] = []  # oldest site first; each from bottom to top
        self.seat = 0
        self.phase = ""  # "deal", "site", "move" or "draw"
        self._start_round()

    # ------------------------------------------------------------------ questions

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.finished

    @property
    def to_act(self) -> tuple[int, ...]:
        """Who acts now."""
        if self.finished:
            return ()
        if self.phase == "move":
            return (self.seat,)
        return (DEALER,)

    @property
    def scores(self) -> tuple[int, ...]:
        """The totals of the rounds scored so far (DS9)."""
        return tuple(self.totals)

    @property
    def winners(self) -> tuple[int, ...]:
        """Every seat with the highest total, once the match is over (DS10, DS12)."""
        if not self.finished:
            return ()
        best = max(self.totals)
        return tuple(seat for seat in range(self.players) if self.totals[seat] == best)

    def legal(self, actor: int) -> set[str]:
        """Return the moves of a seat (DS2)."""
        tokens: set[str] = set()
        if actor == DEALER or actor not in self.to_act:
            return tokens
        for card in self.hands[actor]:
            tokens.add(f"create {card}")
            tokens.add(f"hide {card}")
            if self._site_for(card) is not None:
                tokens.add(f"place {card}")
        return tokens

    def chance(self) -> dict[str, Fraction]:
        """Return what the dealer may draw, and how probable each is: any card of the deck."""
        if self.to_act != (DEALER,):
            return {}
        return {
            f"{self.phase} {card}": Fraction(self.deck.count(card), len(self.deck))
            for card in sorted(set(self.deck))
        }

    # ------------------------------------------------------------------ events

    def apply(self, actor: int, token: str) -> None:
        """Let something happen; it has to be possible now."""
        assert actor in self.to_act, (actor, token, self.to_act)
        if actor == DEALER:
            assert token in self.chance(), token
        else:
            assert token in self.legal(actor), token
        word, number = token.split(" ")
        card = int(number)
        if word == "deal":
            self._deal(card)
        elif word == "site":
            self._first_site(card)
        elif word == "draw":
            self._draw(card)
        else:
            self._move(word, card)

    def _start_round(self) -> None:
        """Shuffle all 52 cards for a round (DS1, DS10)."""
        self.deck = [number for number in range(13) for _ in range(4)]
        self.hands = [[] for _ in range(self.players)]
        self.reserves = [[] for _ in range(self.players)]
        self.sites = []
        # DS11: seat 0 starts the first round, and every later round is started by the next seat.
        self.seat = self.rounds_finished % self.players
        self.phase = "deal"

    def _deal(self, card: int) -> None:
        """DS1: five cards for seat 0, then five for seat 1, and so on."""
        self.deck.remove(card)
        for hand in self.hands:
            if len(hand) < HAND_SIZE:
                hand.append(card)
                break
        if all(len(hand) == HAND_SIZE for hand in self.hands):
            self.phase = "site"

    def _first_site(self, card: int) -> None:
        """DS1: one card of the deck is the first site; then the starting seat moves."""
        self.deck.remove(card)
        self.sites.append([card])
        self.phase = "move"

    def _move(self, word: str, card: int) -> None:
        """DS2: create, place or hide."""
        self.hands[self.seat].remove(card)
        if word == "create":
            self.sites.append([card])
            # DS7: enough sites end the round at once, and nothing is drawn.
            if len(self.sites) == SITES_THAT_END_A_ROUND[self.players]:
                self._end_round()
                return
        elif word == "place":
            site = self._site_for(card)
            assert site is not None
            site.append(card)
        else:
            assert word == "hide", word
            self.reserves[self.seat].append(card)
        self.phase = "draw"

    def _draw(self, card: int) -> None:
        """DS6: fill the hand up again; then it is the next seat's turn."""
        self.deck.remove(card)
        self.hands[self.seat].append(card)
        # DS8: the last card of the deck ends the round at once.
        if not self.deck:
            self._end_round()
            return
        self.seat = (self.seat + 1) % self.players
        self.phase = "move"

    def _site_for(self, card: int) -> list[int] | None:
        """Return the one site that the card may be placed on, if there is one.

        DS3: its top card has to be higher than the card (so never a 0: DS5).
        DS4: of those, the lowest top card, and of equal ones the oldest site.
        """
        chosen: list[int] | None = None
        for site in self.sites:
            if site[-1] > card and (chosen is None or site[-1] < chosen[-1]):
                chosen = site
        return chosen

    def _end_round(self) -> None:
        """Score the round (DS9), then end the match (DS10, DS12) or start another round."""
        tops = [site[-1] for site in self.sites]
        for seat in range(self.players):
            for card in self.reserves[seat]:
                matches = tops.count(card)
                if matches == 0:
                    self.totals[seat] -= 2
                else:
                    self.totals[seat] += matches * self.points[card]
        self.rounds_finished += 1
        reached = any(total >= self.target for total in self.totals)  # DS10
        limit = self.rounds_finished >= self.round_limit  # DS12
        if reached or limit:
            self.finished = True
        else:
            self._start_round()
