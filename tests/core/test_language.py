"""German is complete: whatever people read has a translation with the same things to fill in."""

import ast
import json
import random
import re
from functools import partial
from pathlib import Path
from string import Formatter

import pytest

import droptable
from droptable.core.contract import DEALER
from droptable.core.language import FOLDER, LANGUAGES, _, catalogue, speaking
from droptable.core.lessons import NAMES
from droptable.core.options import Choice
from droptable.games import OWN
from droptable.tables.settings import BOTS

SOURCE = Path(droptable.__file__).parent
STATIC = SOURCE / "web" / "static"
OTHERS = [language for language in LANGUAGES if language != "en"]
JS_CALL = re.compile(r"(?<![\w.$])t\(")
JS_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')


def python_texts():
    """Texts in `_("…")`, also through a choice of two, or a text or a tuple of the module."""
    for file in SOURCE.rglob("*.py"):
        tree = ast.parse(file.read_text("utf-8"))
        named = {
            target.id: node.value
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_":
                said = node.args[0]
                if isinstance(said, ast.Subscript):
                    said = said.value
                if isinstance(said, ast.Name):
                    said = named.get(said.id, ast.Pass())
                for text in ast.walk(said):
                    if isinstance(text, ast.Constant) and isinstance(text.value, str):
                        yield text.value, file.name


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


def game_texts():
    """What a game says about itself, its options and its lessons."""
    for game in OWN:
        yield game.summary, game.name
        for name, option in game.options.items():
            yield option.help, game.name
            yield name.replace("_", " "), game.name
            if isinstance(option, Choice):
                yield from ((choice, game.name) for choice in option.choices)
        for shown in game.lessons.PICTURES:
            yield shown.caption, game.name
        for exercise in game.lessons.EXERCISES:
            yield exercise.question, game.name
            yield exercise.otherwise, game.name
            yield from ((label, game.name) for label in exercise.buttons.values())
            for answer in (*exercise.right, *exercise.wrong):
                yield answer.says, game.name


def all_texts():
    found = {}
    levels = ((bot, "levels") for bot in BOTS)
    for text, where in (*python_texts(), *script_texts(), *game_texts(), *levels):
        if isinstance(text, str):
            found.setdefault(text, where)
    return found


REFUSALS = ("Rejected", "Problem", "Answer", "TooLong", "RecordError", "OptionError", "IllegalMove")
PROGRAMS_ONLY = {  # what no page ever shows: command lines, files and starting a server
    "app.py": ("healthz",),
    "archive.py": ("import_tables", "unpack"),
    "batch.py": None,
    "config.py": None,
    "database.py": None,
    "game.py": None,
    "match.py": None,
    "options.py": ("parse",),
    "record.py": ("open_record",),
    "registry.py": None,
    "server.py": None,
    "state.py": ("record", "_seat", "view"),
}


def refusals():
    """Texts that a refusal is made with and that did not go through `_`, with their places."""
    for file in (f for part in ("web", "tables", "core") for f in (SOURCE / part).rglob("*.py")):
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


def fields(text):
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_translated(language):
    """No text of the sources, the pages, the games or their lessons is missing."""
    known = catalogue(language)
    missing = {text: where for text, where in all_texts().items() if text not in known}
    assert not missing


def test_every_refusal_can_be_translated():
    """Whatever pages may be refused with goes through `_`, so that a translation is asked for."""
    assert not list(refusals())


PAGES = [*STATIC.glob("*.js")]
LOOSE = re.compile(r'(?:aria-label|title|alt|placeholder)"?: "([^"]*[a-z]{2}[^"]*)"')


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_label_is_loose(page):
    """Labels, titles and hints of the pages are said through `t`."""
    assert not LOOSE.findall(page.read_text("utf-8"))


@pytest.mark.parametrize("language", OTHERS)
def test_translations_fill_in_the_same(language):
    """A translation has the {names} of its text: no more, and none that are lost."""
    for text, translated in catalogue(language).items():
        assert fields(text) == fields(translated), text


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_translated_twice_or_in_vain(language):
    """Each text is in one file of a catalogue, and something still says it."""
    seen = {}
    said = all_texts()
    for file in sorted((FOLDER / language).glob("*.json")):
        for text in json.loads(file.read_text("utf-8")):
            assert text not in seen, f"{text!r} is in {seen[text]} and {file.name}"
            assert text in said, f"nothing says {text!r} of {file.name}"
            seen[text] = file.name


@pytest.mark.parametrize("game", OWN, ids=lambda game: game.name)
@pytest.mark.parametrize("language", OTHERS)
def test_every_rule_is_translated(game, language):
    """The rules have the same numbers in every language, in order, and other words."""
    english = game.rule_sections
    with speaking(language):
        translated = game.rule_sections
    assert list(translated) == list(english)
    for number, section in translated.items():
        assert section.splitlines()[1:] != english[number].splitlines()[1:], number
        codes = [sorted(re.findall(r"`[^`]+`", text)) for text in (section, english[number])]
        assert codes[0] == codes[1], number  # options and tokens stay as they are


@pytest.mark.parametrize("game", OWN, ids=lambda game: game.name)
@pytest.mark.parametrize("language", OTHERS)
def test_a_match_is_told_in_other_words(game, language):
    """Labels, reasons, prompts and the log of a random match are translated and filled in."""
    state, chance = game.start(), random.Random(5)
    actions = game.vocabulary(state.options).actions
    for _event in range(150):
        if state.over:
            break
        actor, before = state.to_act[0], state.view(0)
        if actor == DEALER:
            token = chance.choice(state.chance())[0]
        else:
            view = state.view(actor)
            token, other = chance.choice(view.legal), chance.choice(actions)
            said = in_both(language, lambda view=view, token=token: view.label(token))
            assert said[0] != said[1]
            said = in_both(language, lambda view=view, other=other: view.why(other))
            assert said == ("", "") or said[0] != said[1]
            said = in_both(language, lambda view=view: game.scene.prompt(view.fields, 0, NAMES))
            assert said[0] != said[1]
        action = -1
        if 0 in state.witnesses(actor, token):
            action = game.vocabulary(state.options).ids(actor)[token]
        state.apply(actor, token)
        views = before.fields, state.view(0).fields
        tell = partial(game.words.tell, *views, actor, action, NAMES)
        said = in_both(language, tell)
        assert said == ("", "") or said[0] != said[1]


def in_both(language, say):
    """What is said in English and in another language, with nothing left to be filled in."""
    with speaking(language):
        other = say()
    assert "{" not in other
    return say(), other


def test_a_language_is_spoken_for_a_while():
    """`speaking` changes what `_` says inside its block only; unknown texts stay English."""
    with speaking("de"):
        assert _("Total") == "Summe"
        assert _("said nowhere") == "said nowhere"
    assert _("Total") == "Total"
