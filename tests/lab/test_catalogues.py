"""Catalogues: German is complete and in step with the sources, and updating loses nothing."""

import ast
import json
import re
from pathlib import Path
from string import Formatter

import pytest

import droptable
from droptable.core.language import (
    LANGUAGES,
    SOURCE,
    catalogue_files,
    is_translated,
    read_catalogue,
)
from droptable.games import OWN
from droptable.lab.catalogues import PACKAGE_HOME, Home, game_homes, update

PACKAGE = Path(droptable.__file__).parent
STATIC = PACKAGE / "web" / "static"
HOMES = [PACKAGE_HOME, *game_homes(OWN)]
OTHERS = [language for language in LANGUAGES if language != SOURCE]
COMPLETE = ["de", "es", "fr"]  # others may be on their way
FILES = [file for language in OTHERS for file in catalogue_files(language)]
FINISHED = [file for language in COMPLETE for file in catalogue_files(language)]
PLURAL = {"ngettext", "counted"}
JS_CALL = re.compile(r"(?<![\w.$])tn?\(")
JS_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')


def script_texts():
    """Texts in `t("…")`, also through a choice of two."""
    for file in STATIC.glob("*.js"):
        script = file.read_text("utf-8")
        for call in JS_CALL.finditer(script):
            for text in JS_TEXT.finditer(first_argument(script, call.end())):
                yield json.loads(f'"{text[1]}"'), file.name


def first_argument(script, start):
    """What stands between the bracket of a call and its first comma or its end."""
    depth, quoted = 0, False
    for end in range(start, len(script)):
        sign = script[end]
        if sign == '"' and script[end - 1] != "\\":
            quoted = not quoted
        elif not quoted and depth == 0 and sign in ",)":
            return script[start:end]
        elif not quoted and sign in "([{":
            depth += 1
        elif not quoted and sign in ")]}":
            depth -= 1
    raise AssertionError("a call of t() does not end")


def fields(text):
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name}


def entries(file):
    return [message for message in read_catalogue(file) if message.id]


def name_of(file):
    return "/".join(file.parts[-3:])


@pytest.mark.parametrize("home", HOMES, ids=lambda home: home.sources.name)
@pytest.mark.parametrize("language", COMPLETE)
def test_every_folder_has_the_language(home, language):
    """The package and all our games have a catalogue, and it is used."""
    assert home.folder / f"{language}.po" in FINISHED


def test_catalogues_are_in_step_with_the_sources():
    """`make languages` would change nothing: no text is missing, and none is there in vain."""
    for file, content in update(HOMES).items():
        assert file.is_file() and file.read_bytes() == content, (
            f"{file} is out of date: run make languages"
        )


@pytest.mark.parametrize("file", FINISHED, ids=name_of)
def test_everything_is_translated(file):
    """No text lacks a translation or a plural form, none is fuzzy, and none is obsolete."""
    assert [message.id for message in entries(file) if not is_translated(message)] == []
    assert "\n#~" not in file.read_text("utf-8")


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_translations_fill_in_the_same(file):
    """Every form has the {names} of its text; only the singular may do without what it may."""
    for message in filter(is_translated, entries(file)):
        if isinstance(message.id, str):
            assert fields(message.string) == fields(message.id), message.id
            continue
        singular, plural = map(fields, message.id)
        first, *others = map(fields, message.string)
        assert first in (singular, plural), message.id
        assert all(form == plural for form in others), message.id


@pytest.mark.parametrize("language", OTHERS)
def test_catalogues_agree(language):
    """No text has two translations or is once with a plural, once without; one plural rule."""
    rules, known = set(), {}
    for file in catalogue_files(language):
        rules.add(read_catalogue(file).plural_forms)
        for message in filter(is_translated, entries(file)):
            first = message.id if isinstance(message.id, str) else message.id[0]
            assert known.setdefault(first, message.string) == message.string, first
    assert len(rules) == 1


NOUNS = (
    "card counter event game match move number piece player point round rule seat table turn "
    "byte character day exercise hour letter minute mistake second"
)
COUNT = re.compile(rf"\{{\w+\}}(?: (?!for )\w+)? (?:{NOUNS.replace(' ', '|')})e?s\b")


@pytest.mark.parametrize("home", HOMES, ids=lambda home: home.sources.name)
def test_no_count_is_without_its_plural(home):
    """A text with a number and a noun has a singular too: nobody reads of 1 minutes."""
    plain = [message.id for message in home.template if isinstance(message.id, str)]
    assert [text for text in plain if COUNT.search(text)] == []


def test_scripts_hide_no_text():
    """Whatever `t` and `tn` say in the scripts was found, also inside of other calls."""
    template = PACKAGE_HOME.template
    missing = {(text, file) for text, file in script_texts() if text not in template}
    assert not missing


def test_python_hides_no_text():
    """Translating functions are called with a text, or with a value and no text somewhere in it."""
    for file in PACKAGE.rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in PLURAL | {"_"}:
                texts = call.args[: 2 if call.func.id in PLURAL else 1]
                for said in texts:
                    within = [said_by(node) for node in ast.walk(said) if node is not said]
                    where = f"{file.name}:{call.lineno}: {ast.unparse(call)}"
                    assert not any(isinstance(t, str) and " " in t for t in within), where
                    assert not isinstance(said, ast.JoinedStr), where


REFUSALS = ("Rejected", "Problem", "Answer", "TooLong", "RecordError", "OptionError", "IllegalMove")
PROGRAMS_ONLY = {  # what no page ever shows: command lines, files and starting a server
    "address.py": ("_network",),
    "app.py": ("healthz",),
    "archive.py": ("import_tables", "unpack"),
    "batch.py": None,
    "config.py": None,
    "database.py": None,
    "game.py": None,
    "match.py": None,
    "options.py": ("parse",),
    "own_bots.py": ("parse",),
    "processes.py": ("check",),
    "record.py": ("open_record",),
    "redis_bus.py": None,
    "registry.py": None,
    "server.py": None,
    "state.py": ("record", "_seat", "view"),
}


def refusals():
    """Texts that a refusal is made with and that did not go through `_`, with their places."""
    for file in (f for part in ("web", "tables", "core") for f in (PACKAGE / part).rglob("*.py")):
        skipped = PROGRAMS_ONLY.get(file.name, ())
        if skipped is None:
            continue
        for function in functions(ast.parse(file.read_text("utf-8"))):
            if function.name in skipped:
                continue
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and getattr(call.func, "id", "") in REFUSALS:
                    for text in (*call.args, *(word.value for word in call.keywords)):
                        if isinstance(text, ast.JoinedStr) or " " in str(said_by(text)):
                            yield f"{file.name}:{call.lineno}: {ast.unparse(text)}"


def functions(tree):
    return [f for f in ast.walk(tree) if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef)]


def said_by(node):
    return node.value if isinstance(node, ast.Constant) else ""


def test_every_refusal_can_be_translated():
    """Whatever pages may be refused with goes through `_`, so that a translation is asked for."""
    assert not list(refusals())


PAGES = [*STATIC.glob("*.js")]
LOOSE = re.compile(r'(?:aria-label|title|alt|placeholder)"?: "([^"]*[a-z]{2}[^"]*)"')


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_label_is_loose(page):
    """Labels, titles and hints of the pages are said through `t`."""
    assert not LOOSE.findall(page.read_text("utf-8"))


@pytest.fixture
def sources(tmp_path):
    """Two folders with sources and catalogues, as a package and a game of it have."""
    folders = [tmp_path / name for name in ("inner", "outer")]
    for folder in folders:
        (folder / "words").mkdir(parents=True)
    (folders[0] / "deck.py").write_text(
        '# Translators: of cards\n_("Deck")\nngettext("{n} card", "{n} cards", n)\n'
        """print(f"{_('Hand')}: {_(unknown)}")\n"""
    )
    (folders[1] / "pile.js").write_text(
        't("Pile"); tn("{count} turn", "{count} turns", count); h(`${t("Here")}!`);'
    )
    return [Home(folder / "words", folder) for folder in folders]


def written(homes, *added):
    """Update the catalogues and read them."""
    for file, content in update(homes, added).items():
        file.write_bytes(content)
    return [{m.id: m for m in entries(home.folder / "fr.po")} for home in homes]


def translate(home, text, translated):
    """What a translator does."""
    file = home.folder / "fr.po"
    asked = f'msgid "{text}"\nmsgstr ""'
    content = file.read_text("utf-8")
    assert asked in content
    file.write_text(content.replace(asked, f'msgid "{text}"\nmsgstr "{translated}"'), "utf-8")


def test_a_new_language_is_an_empty_catalogue(sources):
    """Texts, plurals and comments are found in Python and JavaScript, and are not translated."""
    deck, pile = written(sources, "fr")
    assert set(deck) == {"Deck", ("{n} card", "{n} cards"), "Hand"}
    assert set(pile) == {"Pile", ("{count} turn", "{count} turns"), "Here"}
    assert deck["Deck"].auto_comments == ["of cards"]
    assert not any(is_translated(message) for message in (*deck.values(), *pile.values()))
    assert "nplurals=2; plural=(n > 1);" in (sources[0].folder / "fr.po").read_text("utf-8")


def test_updating_keeps_what_is_translated(sources):
    """A translation stays, also when its text moves to other sources; what is gone is dropped."""
    written(sources, "fr")
    translate(sources[0], "Deck", "Pioche")
    translate(sources[0], "Hand", "Main")
    (sources[0].sources / "deck.py").write_text('_("Hand")')
    (sources[1].sources / "pile.js").write_text('t("Deck")')
    deck, pile = written([Home(home.folder, home.sources) for home in sources])
    assert {text: message.string for text, message in deck.items()} == {"Hand": "Main"}
    assert {text: message.string for text, message in pile.items()} == {"Deck": "Pioche"}


def test_a_changed_text_is_fuzzy(sources):
    """The translation of a similar text is offered, but counts as none until it is confirmed."""
    written(sources, "fr")
    translate(sources[0], "Deck", "Pioche")
    (sources[0].sources / "deck.py").write_text('_("Decks")')
    deck, _pile = written([Home(home.folder, home.sources) for home in sources])
    assert deck["Decks"].string == "Pioche"
    assert deck["Decks"].fuzzy and not is_translated(deck["Decks"])
