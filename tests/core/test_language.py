"""The reader's language: chosen for a block, with plurals, from catalogues that are just files."""

import random
import re
import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from droptable.core import language as language_module
from droptable.core.contract import DEALER
from droptable.core.errors import DroptableError
from droptable.core.language import (
    LANGUAGES,
    _,
    add_catalogues,
    browser_texts,
    native_name,
    ngettext,
    read_catalogue,
    speaking,
    spoken,
)
from droptable.core.lessons import NAMES
from droptable.games import OWN

COMPLETE = ["de", "es", "fr"]  # others may be on their way
POLISH = """
msgid ""
msgstr "Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20)"
" ? 1 : 2);\\n"

msgid "Deck"
msgstr "Talia"

#, fuzzy
msgid "Table"
msgstr "Tablica"

msgid "Storage"
msgstr ""

msgid "{count} card"
msgid_plural "{count} cards"
msgstr[0] "{count} karta"
msgstr[1] "{count} karty"
msgstr[2] "{count} kart"

msgid "{count} turn"
msgid_plural "{count} turns"
msgstr[0] "{count} tura"
msgstr[1] ""
msgstr[2] ""
"""


@pytest.fixture
def folders(monkeypatch):
    """No catalogues but those that a test adds."""
    chosen = []
    monkeypatch.setattr(language_module, "_folders", chosen)
    cached = [language_module._merged, language_module._translations, browser_texts]
    for function in cached:
        function.cache_clear()
    yield chosen
    for function in cached:
        function.cache_clear()


@pytest.fixture
def polish(folders, tmp_path):
    """A language with three plural forms, not all of it translated."""
    (tmp_path / "pl.po").write_text(POLISH, "utf-8")
    folders.append(tmp_path)
    with speaking("pl"):
        yield


def test_a_language_is_spoken_for_a_while():
    """`speaking` changes what `_` says inside its block only; unknown texts stay English."""
    with speaking("de"):
        assert spoken() == "de"
        assert _("Total") == "Summe"
        assert _("said nowhere") == "said nowhere"
        assert _("") == ""  # gettext would answer with the catalogue's header
    assert _("Total") == "Total"


@pytest.mark.parametrize(
    ("count", "form"),
    [(0, "turns"), (1, "turn"), (2, "turns"), (-1, "turn"), (np.int8(1), "turn")],
)
def test_english_plurals(count, form):
    """One and minus one take the singular, and numbers of NumPy count like others."""
    assert ngettext("{count} turn", "{count} turns", count) == f"{{count}} {form}"


@pytest.mark.usefixtures("polish")
@pytest.mark.parametrize(
    ("count", "form"),
    [(0, "kart"), (1, "karta"), (2, "karty"), (5, "kart"), (22, "karty"), (np.int16(1), "karta")],
)
def test_a_language_has_its_own_plurals(count, form):
    """The catalogue's rule decides on the form, however many there are."""
    assert ngettext("{count} card", "{count} cards", count) == f"{{count}} {form}"


@pytest.mark.usefixtures("polish")
def test_only_finished_translations_are_shown():
    """What is fuzzy, empty or lacks a form stays English, with the plural of English."""
    assert _("Deck") == "Talia"
    assert _("Table") == "Table"
    assert _("Storage") == "Storage"
    assert ngettext("{count} turn", "{count} turns", 1) == "{count} turn"
    assert ngettext("{count} turn", "{count} turns", 2) == "{count} turns"


@pytest.mark.usefixtures("polish")
def test_the_browser_gets_plurals_by_category():
    """A catalogue for JavaScript names the forms as `Intl.PluralRules` does, and nothing else."""
    forms = {"one": "{count} karta", "few": "{count} karty", "many": "{count} kart"}
    assert browser_texts("pl") == {"Deck": "Talia", "{count} card": forms}
    assert browser_texts("en") == {}


@pytest.mark.usefixtures("folders")
def test_catalogues_can_be_added(tmp_path):
    """A game's folder adds to a language that is already spoken; the first to say it is right."""
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, texts in ((first, {"a": "A"}), (second, {"a": "other", "b": "B"})):
        folder.mkdir()
        entries = [f'msgid "{text}"\nmsgstr "{translated}"\n' for text, translated in texts.items()]
        (folder / "pt_BR.po").write_text("\n".join(entries), "utf-8")
    add_catalogues(first)
    with speaking("pt-BR"):
        assert (_("a"), _("b")) == ("A", "b")
        add_catalogues(second)
        assert (_("a"), _("b")) == ("A", "B")


def test_a_broken_catalogue_is_named(tmp_path):
    """What is not a catalogue is an error that says which file and what is wrong with it."""
    file = tmp_path / "fr.po"
    file.write_text('msgid "Deck"\nPioche\n', "utf-8")
    with pytest.raises(DroptableError, match=r"fr\.po is not a catalogue of texts: Unknown"):
        read_catalogue(file)


def test_languages_are_files():
    """English comes first; the others are the catalogues of the package."""
    assert LANGUAGES[0] == "en"
    assert set(COMPLETE) <= set(LANGUAGES)


def test_languages_are_named_by_themselves():
    """Names come from Babel; a tag that it does not know stands for itself."""
    names = [native_name(tag) for tag in ("en", "de", "fr", "pt-BR", "xx-unknown")]
    assert names == ["English", "Deutsch", "Français", "Português (Brasil)", "xx-unknown"]


def test_english_reads_no_catalogue():
    """Importing the package, and speaking English, does not load Babel."""
    script = (
        "import sys, droptable; from droptable.core.language import ngettext;"
        "ngettext('card', 'cards', 1); print('babel' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("game", OWN, ids=lambda game: game.name)
@pytest.mark.parametrize("language", COMPLETE)
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
@pytest.mark.parametrize("language", COMPLETE)
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
