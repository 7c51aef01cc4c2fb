"""Moves in free text: what a language model, or a person, means by an answer.

The form does not matter: case, quotes, Markdown, brackets, commas between numbers, text around it.
The meaning is never guessed: an answer that names no move, or several, or that negates one or
offers a choice, is unclear. Words are compared whole, so `place 6` is not found in `place 60`, nor
`play 3` in `play 3 3`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from droptable.core.errors import TokenError

LONGEST = 20_000  # characters of an answer that is read
KEYS = ("move", "action", "answer")  # of a JSON object, or before a colon
MARKED = re.compile(r"\b(?:move|action|answer)\b[\s*_`\"']*[:=](.*)", re.IGNORECASE)
# What a model was asked to put its answer into; the last one counts. Its thoughts do not.
TAGGED = re.compile(
    r"<(?P<tag>move|action|answer)>(?P<inside>.*?)</(?P=tag)>|\\boxed\s*\{(?P<boxed>(?:[^{}]|\{[^{}]*\})*)\}",
    re.IGNORECASE | re.DOTALL,
)
THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.IGNORECASE | re.DOTALL)
LATEX = re.compile(r"\\(?:text|textbf|texttt|mathrm|mathbf|mathtt)\s*\{([^{}]*)\}|\\[ ,;:!]")
QUOTES = "\"'`*"
BRACKETS = "()[]{}<>"
STOPS = ".;!?"  # end a sentence, so that a number after them is not part of a move
TIDY = str.maketrans("“”„‘’−–—‐‑_", '"""\'\'----- ')
LISTED = re.compile(r"-?\d+(?:,-?\d+)+")  # 0,-4
STOP = "."  # as a word: a sentence ends here

BETWEEN = ("and", "&", "+")  # `3, 3 and 3` is `3 3 3`
SIGNS = ("-", "+")
COUNTS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "zeros", "ones", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines",
)  # fmt: skip
# A move that is an ordinary word needs one of these before it, or quotes, or the line for itself.
BEFORE = (
    "i", "i'll", "we", "play", "choose", "pick", "select", "will", "is", "to", "with", "then", "so",
)  # fmt: skip
# With one of these in its line, a move may not be what is meant.
DOUBTS = (
    "not", "no", "never", "neither", "nor", "don't", "dont", "won't", "can't", "cannot", "isn't",
    "shouldn't", "wouldn't", "instead", "rather", "avoid", "without", "unless", "or", "either",
)  # fmt: skip


class Unclear(TokenError):
    """An answer that names no move, or more than one, or leaves it open."""


@dataclass(frozen=True)
class Word:
    """A word of an answer, and whether a quote opens before or closes after it."""

    text: str
    opened: bool = False
    closed: bool = False


@dataclass(frozen=True)
class Phrase:
    """Words that mean a move: those of its token, or of its label."""

    words: tuple[str, ...]
    token: str

    @property
    def plain(self) -> bool:
        """Whether people use such words also when they mean no move: `pass`, `as I`."""
        return len(self.words) < 3 and not any(map(_has_digit, self.words))


@dataclass(frozen=True)
class Mention:
    """A phrase found in a line, from one word up to another."""

    phrase: Phrase
    start: int
    end: int


class Reader:
    """Reads answers that may name any of these tokens, or the labels of some of them."""

    def __init__(self, tokens: Iterable[str], labels: Mapping[str, str] | None = None) -> None:
        self._tokens = frozenset(tokens)
        self._phrases: dict[str, list[Phrase]] = {}  # by their first word
        for token in self._tokens:
            self._learn(token, token)
        for token, label in (labels or {}).items():
            self._learn(label, token)

    def _learn(self, said: str, token: str) -> None:
        words = tuple(word.text for word in _words(said.translate(TIDY)))
        if words:
            self._phrases.setdefault(words[0], []).append(Phrase(words, token))

    def read(self, answer: str) -> str:
        """The token that an answer names; `Unclear` says what is wrong with it.

        What stands in `<answer>…</answer>` or `\\boxed{…}` comes first, then JSON with a `move`,
        then the last line with `move:`, then a move that is the only one named, then the last line
        that names one. Thoughts (`<think>…</think>`) are not read.
        """
        if len(answer) > LONGEST:
            raise Unclear(f"an answer has at most {LONGEST} characters, not {len(answer)}")
        if answer.strip() in self._tokens:
            return answer.strip()
        text = THOUGHT.sub("", answer)
        inside = _inside(text)
        text = (text if inside is None else inside).translate(TIDY)
        stated = _stated(text)
        if stated is None and inside is not None:
            stated = text
        if stated is not None:
            return self._decide([_words(stated)], stated, loose=True)
        lines = [_words(line) for line in text.splitlines()]
        naming = [line for line in lines if self._named(line, loose=False)]
        named = {token for line in naming for token in self._named(line, loose=False)}
        return self._decide(naming if len(named) == 1 else naming[-1:], text, loose=False)

    def _decide(self, lines: list[list[Word]], text: str, *, loose: bool) -> str:
        """The one move that lines name without a doubt."""
        exact = text.strip(" \t" + QUOTES + STOPS)
        if exact in self._tokens:
            return exact
        named = sorted({token for line in lines for token in self._named(line, loose=loose)})
        if not named:
            raise Unclear(f"there is no move in {_short(text)!r}")
        if len(named) > 1:
            raise Unclear(f"this answer names {len(named)} moves: {', '.join(named)}")
        for line in lines:
            inside = {i for m in self._mentions(line) for i in range(m.start, m.end)}
            doubts = [w.text for i, w in enumerate(line) if w.text in DOUBTS and i not in inside]
            if doubts:
                raise Unclear(f"it is not clear if {named[0]!r} is meant: there is {doubts[0]!r}")
        return named[0]

    def _named(self, line: Sequence[Word], *, loose: bool) -> set[str]:
        """The moves that a line names. Ordinary words count if one is meant, or all if `loose`."""
        mentions = self._mentions(line)
        named = {m.phrase.token for m in mentions if not m.phrase.plain}
        plain = [m for m in mentions if m.phrase.plain]
        if loose or any(_is_meant(line, m) for m in plain):
            named |= {m.phrase.token for m in plain}
        return named

    def _mentions(self, line: Sequence[Word]) -> list[Mention]:
        """All phrases in a line, from left to right, the longest ones first."""
        texts = tuple(word.text for word in line)
        mentions: list[Mention] = []
        at = 0
        while at < len(texts):
            fitting = [
                phrase
                for phrase in self._phrases.get(texts[at], ())
                if texts[at : at + len(phrase.words)] == phrase.words
            ]
            end = at + max((len(phrase.words) for phrase in fitting), default=0)
            if end > at and _stands_alone(texts, at, end):
                mentions += [Mention(p, at, end) for p in fitting if at + len(p.words) == end]
                at = end
            else:
                at += 1
        return mentions


def _stands_alone(texts: Sequence[str], start: int, end: int) -> bool:
    """Whether no number is cut off at either side."""
    if start and _has_digit(texts[start]) and _is_number(texts[start - 1]):
        return False
    if not _has_digit(texts[end - 1]):
        return True
    following = end + 1 if end < len(texts) and texts[end] in SIGNS else end
    return not (following < len(texts) and _is_number(texts[following]))


def _is_meant(line: Sequence[Word], mention: Mention) -> bool:
    """Whether ordinary words are a move: in quotes, after `I play`, or all that is said."""
    start, end = mention.start, mention.end
    if line[start].opened and line[end - 1].closed:
        return True
    if start and line[start - 1].text in BEFORE:
        return True
    return start == 0 and all(word.text == STOP for word in line[end:])


# -- where an answer says which move it is --------------------------------------------------------


def _inside(text: str) -> str | None:
    """What stands in the last tag or box that is not empty, without LaTeX; None without one."""
    for match in reversed([*TAGGED.finditer(text)]):
        said = match["inside"] or LATEX.sub(lambda found: found[1] or " ", match["boxed"] or "")
        if said.strip():
            return said.strip()
    return None


def _stated(text: str) -> str | None:
    """What a JSON object or a line gives as the move; None if nothing does."""
    in_json = _in_json(text)
    if in_json is not None:
        return in_json
    lines = text.splitlines()
    for number in range(len(lines) - 1, -1, -1):
        marked = MARKED.search(lines[number])
        if marked:
            below = (line for line in (marked[1], *lines[number + 1 :]) if _words(line))
            return next(below, None)
    return None


def _in_json(text: str) -> str | None:
    """The `move` of the last JSON object that has one."""
    move, start, decoder = None, -1, json.JSONDecoder()
    while (start := text.find("{", start + 1)) >= 0:
        try:
            value, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        for key, said in value.items():
            if key.strip().lower() in KEYS and not isinstance(said, dict):
                if not isinstance(said, str):
                    raise Unclear(f"the {key} in JSON is {_short(str(said))!r}; expected a text")
                move = said
    return move


# -- words ----------------------------------------------------------------------------------------


def _words(line: str) -> list[Word]:
    """The words of a line: numbers apart, a stop where a sentence ends.

    A bullet before them and what stands between the numbers of a list are left out.
    """
    words = [word for chunk in line.split() for word in _of_chunk(chunk)]
    if words and words[0].text in SIGNS:
        words = words[1:]
    return [word for i, word in enumerate(words) if not _links_numbers(words, i)]


def _of_chunk(chunk: str) -> Iterator[Word]:
    core = chunk.lstrip(QUOTES + BRACKETS).rstrip(QUOTES + BRACKETS + STOPS + ",:")
    before, _, after = chunk.partition(core) if core else ("", "", chunk)
    parts = core.split(",") if LISTED.fullmatch(core) else [core] if core else []
    for number, part in enumerate(parts):
        yield Word(
            part.casefold(),
            opened=number == 0 and any(mark in QUOTES for mark in before),
            closed=number == len(parts) - 1 and any(mark in QUOTES for mark in after),
        )
    if any(mark in STOPS for mark in after):
        yield Word(STOP)


def _links_numbers(words: Sequence[Word], i: int) -> bool:
    return (
        words[i].text in BETWEEN
        and 0 < i < len(words) - 1
        and _has_digit(words[i - 1].text)
        and _has_digit(words[i + 1].text)
    )


def _has_digit(word: str) -> bool:
    return any(sign.isdigit() for sign in word)


def _is_number(word: str) -> bool:
    """Whether a word beside a number may belong to it."""
    return _has_digit(word) or word in SIGNS or word in COUNTS


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"
