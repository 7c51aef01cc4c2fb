"""Keep the translation catalogues (`.po`) in step with the sources: `make languages`.

Babel finds `_("…")`, `N_("…")`, `ngettext(…)` and `counted(…)` in Python, `t("…")` and `tn(…)` in
JavaScript. What a game says about itself (summary, options, lessons) needs no mark: the game is
asked. A game's texts go to the game's catalogues unless the package says the same; all others, to
the package's.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import write_po

from droptable.core.game import Game
from droptable.core.language import FOLDER, is_translated, read_catalogue
from droptable.core.options import Choice
from droptable.games import OWN
from droptable.games import game as game_of

PACKAGE = FOLDER.parent


def extract_python(
    opened: IO[bytes], keywords: Collection[str], tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[tuple[int, str, tuple[str | None, ...], list[str]]]:
    """What Babel's own method finds, and what it overlooks in f-strings before Python 3.12."""
    lines = [b"", *opened]
    nodes = ast.walk(ast.parse(b"".join(lines)))
    calls = [n for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        name = ast.unparse(call.func)
        if name in keywords:
            above = lines[call.lineno - 1].decode(options.get("encoding", "utf-8")).strip(" #\n")
            texts = tuple(_text(said) for said in call.args)
            yield call.lineno, name, texts, [above] if above.startswith(tuple(tags)) else []


def _text(node: ast.AST) -> str | None:
    """The text that stands there literally."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


EXTRACTORS: dict[str, Any] = {".py": extract_python, ".js": "javascript"}
KEYWORDS = {
    ".py": {"_": None, "N_": None, "ngettext": (1, 2), "counted": (1, 2)},
    ".js": {"t": None, "tn": (1, 2)},
}
JAVASCRIPT = {"parse_template_string": True}  # `…${t("…")}…` has a text in it
COMMENTS = ("Translators:",)  # what follows it in a comment above a text is for translators
Text = str | tuple[str, ...]  # a text, or the singular and plural of one


@dataclass(frozen=True)
class Home:
    """A folder of catalogues, and the sources whose texts they translate."""

    folder: Path
    sources: Path
    game: Game | None = None

    @cached_property
    def template(self) -> Catalog:
        """The texts of the sources, untranslated, in the order of the files."""
        template = Catalog(fuzzy=False)
        files = sorted(file for file in self.sources.rglob("*") if file.suffix in EXTRACTORS)
        others = [home.sources for home in game_homes(OWN)] if self.game is None else []
        for file in files:
            if any(file.is_relative_to(other) for other in others):
                continue
            extractor, keywords = EXTRACTORS[file.suffix], KEYWORDS[file.suffix]
            for _line, text, comments, _context in extract_from_file(
                extractor, file, keywords, COMMENTS, JAVASCRIPT, strip_comment_tags=True
            ):
                self._add(template, text, file, comments)
        if self.game is not None:
            places = _constants(files)
            for text, written in game_texts(self.game):
                self._add(template, text, places.get(written, self.sources))
        return template

    def _add(self, template: Catalog, text: Text, file: Path, comments: Sequence[str] = ()) -> None:
        """Add a text; an own game leaves what the package says to the package."""
        if self.game in OWN:
            shared = PACKAGE_HOME.template.get(text)
            if shared is not None and shared.id == text:
                return
        place = file.relative_to(self.sources.parent).as_posix()
        template.add(text, locations=[(place, 1)], auto_comments=comments)

    def updated(self, language: str, memory: dict[Text, Message]) -> bytes:
        """The catalogue as it should be: all texts, none too many, and what is known of them."""
        file = self.folder / f"{language}.po"
        catalogue = read_catalogue(file) if file.is_file() else _new(language)
        catalogue.update(self.template, update_creation_date=False)
        for message in catalogue:
            known = memory.get(_key(message))
            if known and not is_translated(message):
                message.string = known.string
                message.flags.discard("fuzzy")
                message.previous_id = []
        written = BytesIO()
        write_po(
            written, catalogue, sort_by_file=True, ignore_obsolete=True, include_previous=True,
            include_lineno=False,
        )  # fmt: skip
        lines = written.getvalue().splitlines(keepends=True)
        return b"".join(line for line in lines if not line.startswith(b'"Generated-By:'))


PACKAGE_HOME = Home(FOLDER, PACKAGE)  # all but the games


def game_homes(games: Sequence[Game]) -> list[Home]:
    """Games' catalogues. A game's sources lie beside or below the folder of its catalogues."""
    return [
        Home(game.locale, game.locale.parent, game) for game in games if game.locale is not None
    ]


def game_texts(game: Game) -> Iterator[tuple[str, str]]:
    """What a game says about itself, its options and its lessons; each also as it is written."""
    texts = [game.summary]
    for name, option in game.options.items():
        if not option.title:
            yield name.replace("_", " "), name
        texts += [option.title, option.help]
        if isinstance(option, Choice):
            said = option.labels or option.choices
            texts += [label for label in said if isinstance(label, str)]
    if game.lessons is not None:
        texts += [picture.caption for picture in game.lessons.pictures]
        for exercise in game.lessons.exercises:
            answers = (*exercise.right, *exercise.wrong)
            texts += [exercise.question, *exercise.buttons.values()]
            texts += [exercise.otherwise, *(answer.says for answer in answers)]
    yield from ((text, text) for text in texts if text)


def _constants(files: Sequence[Path]) -> dict[str, Path]:
    """Where each text of the Python files is written first."""
    places: dict[str, Path] = {}
    for file in files:
        if file.suffix == ".py":
            for node in ast.walk(ast.parse(file.read_bytes())):
                places.setdefault(_text(node) or "", file)
    return places


def _new(language: str) -> Catalog:
    catalogue = Catalog(Locale.parse(language, sep="-"), fuzzy=False)
    assert catalogue.locale is not None
    catalogue.header_comment = f"# Droptable in {catalogue.locale.english_name}"
    catalogue.project, catalogue.version = "Droptable", version("droptable")
    catalogue.msgid_bugs_address = catalogue.last_translator = catalogue.language_team = ""
    catalogue.revision_date = catalogue.creation_date
    return catalogue


def _key(message: Message) -> Text:
    return message.id if isinstance(message.id, str) else tuple(message.id)


def update(homes: Sequence[Home], added: Sequence[str] = ()) -> dict[Path, bytes]:
    """What all catalogues should contain, in the languages that there are and those to add."""
    files = [file for home in homes for file in home.folder.glob("*.po")]
    languages = sorted({file.stem for file in files} | {*added})
    contents = {}
    for language in languages:
        files = [home.folder / f"{language}.po" for home in homes]
        memory = {
            _key(message): message
            for file in files if file.is_file()
            for message in read_catalogue(file) if message.id and is_translated(message)
        }  # fmt: skip  # texts that moved to another catalogue keep their translation
        for home, file in zip(homes, files, strict=True):
            contents[file] = home.updated(language, memory)
    return contents


def main() -> None:
    """Write the catalogues of the package and its games, or of the games that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="update only the catalogues of these games")
    parser.add_argument("--add", action="append", default=[], metavar="LANGUAGE", help="fr, pt-BR")
    asked = parser.parse_args()
    homes = game_homes([game_of(name) for name in asked.games] or OWN)
    if not asked.games:
        homes.insert(0, PACKAGE_HOME)
    for file, content in update(homes, asked.add).items():
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
        messages = [message for message in read_catalogue(file) if message.id]
        missing = sum(not is_translated(message) for message in messages)
        print(f"{file}: {len(messages)} texts, {missing} to translate")


if __name__ == "__main__":
    main()
