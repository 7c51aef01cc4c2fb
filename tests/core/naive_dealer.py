"""A second implementation of the generator, written from docs/fairness.md alone."""

import hashlib
from fractions import Fraction
from math import lcm


def hmac_sha256(key, message):
    """RFC 2104 by hand."""
    padded = key + bytes(64 - len(key))
    inner = hashlib.sha256(bytes(b ^ 0x36 for b in padded) + message).digest()
    return hashlib.sha256(bytes(b ^ 0x5C for b in padded) + inner).digest()


class NaiveDealer:
    """Deals from a secret and contributions, all in hexadecimal."""

    def __init__(self, secret, contributions=()):
        self.commitment = hashlib.sha256(bytes.fromhex(secret)).hexdigest()
        text = b"hmac-sha256-1" + b"\x00" + bytes.fromhex(secret)
        for value in sorted(bytes.fromhex(given) for given in contributions):
            text += bytes([len(value)]) + value
        self.seed = hashlib.sha256(text).digest()

    def number(self, label, k, bound):
        """A number below `bound`."""
        attempt = 0
        while True:
            message = b"".join([label, b"\x00", k.to_bytes(8, "big"), attempt.to_bytes(8, "big")])
            block = int(hmac_sha256(self.seed, message).hex(), 16)
            if block < 2**256 // bound * bound:
                return block % bound
            attempt += 1

    def deal(self, k, chance):
        """The outcome of the dealer's event k; `chance` is what `State.chance` returns."""
        denominator = lcm(*(p.denominator for _token, p in chance))
        left = Fraction(self.number(b"deal", k, denominator), denominator)
        for token, probability in sorted(chance):
            if left < probability:
                return token
            left -= probability
        raise AssertionError("the probabilities do not add up to 1")

    def order(self, players):
        """The seats after a shuffle."""
        seats = list(range(players))
        for i in reversed(range(1, players)):
            j = self.number(b"seats", i, i + 1)
            seats[i], seats[j] = seats[j], seats[i]
        return tuple(seats)
