"""The recovery key: eight words that bring an identity back when its device is lost.

Each word stands for two bytes (consonant, vowel, consonant, vowel, consonant), so that any language
can say it and nobody needs a list. Only a hash of the key is stored; a new key replaces the old.
"""

from __future__ import annotations

import re
import secrets

from fastapi import APIRouter, Request, Response
from msgspec import Struct

from droptable.core.language import _
from droptable.tables.rejected import Rejected
from droptable.web.api import Me, answer, read
from droptable.web.identity import Doorkeeper, hash_of
from droptable.web.openapi import body, refusals, returns

CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
SOUNDS = (CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS)
SHIFTS = (12, 10, 6, 4, 0)  # bits of a word's number below each sound
WORDS = 8
router = APIRouter(prefix="/api/me")


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """A recovery key, as it is shown once and typed later."""

    words: str


BODIES = (Key,)
EXAMPLE = '{"words": "lusab babad gutih tugad …"}'


def words_of(secret: bytes) -> str:
    """A secret as words."""
    pairs = zip(secret[::2], secret[1::2], strict=True)
    return " ".join(_word(256 * high + low) for high, low in pairs)


def _word(number: int) -> str:
    return "".join(
        sounds[number >> shift & len(sounds) - 1]
        for sounds, shift in zip(SOUNDS, SHIFTS, strict=True)
    )


def secret_of(text: str) -> bytes:
    """The secret that these words stand for, however they are separated; `Rejected` names the
    word that is none."""
    found = [word for word in re.split(r"[\s,.\-]+", text.lower()) if word]
    for word in found:
        if len(word) != len(SOUNDS) or any(c not in s for c, s in zip(word, SOUNDS, strict=True)):
            message = _("{word} is not a word of a recovery key; they look like {example}")
            raise Rejected("syntax", message.format(word=repr(word[:20]), example="lusab"))
    if len(found) != WORDS:
        message = _("a recovery key has {expected} words, not {count}")
        raise Rejected("syntax", message.format(expected=WORDS, count=len(found)))
    numbers = (
        sum(s.index(c) << shift for c, s, shift in zip(word, SOUNDS, SHIFTS, strict=True))
        for word in found
    )
    return b"".join(number.to_bytes(2, "big") for number in numbers)


@router.post("/key", status_code=201,
             responses=returns("Your key.", Key, 201) | refusals("forbidden"))  # fmt: skip
async def make_key(request: Request) -> Response:
    """A recovery key, which is shown only now. One that you had before is void."""
    door: Doorkeeper = request.app.state.door
    who = await door.known(request)
    secret = secrets.token_bytes(2 * WORDS)
    await request.app.state.host.store.set_key(hash_of(secret.hex()), who.identity)
    return answer(Key(words_of(secret)), 201)


@router.post("/recover", openapi_extra=body(Key),
             responses=returns("You.", Me) | refusals("syntax", "gone", "limit"))  # fmt: skip
async def recover(request: Request) -> Response:
    """Become, on this device, the person whose recovery key this is. It stays valid."""
    given: Key = await read(request, Key, EXAMPLE)
    door: Doorkeeper = request.app.state.door
    identity = await request.app.state.host.store.key_of(hash_of(secret_of(given.words).hex()))
    if identity is None:
        message = _("nobody here has this recovery key: check every word, or use your newest key")
        raise Rejected("gone", message)
    response = Response()
    who = await door.come_back(identity, request, response)
    return answer(Me(who.name), response=response)
