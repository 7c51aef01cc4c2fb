"""The reader's language: English in the code, gettext catalogues (`.po`) for all others.

`_("Deck")` is a text in the language that `speaking("de")` chose for a block, and
`ngettext("{count} card", "{count} cards", count)` the form that a number takes; fill in the rest
with `format`. What has no translation, or only a fuzzy one, stays English.

The package's catalogues are in `locale/`: the files there decide which languages are offered, so
adding one needs no code. A game's are in a folder of its own, which `add_catalogues` names.
Babel reads them when a language is first spoken; nothing is compiled ahead.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from droptable.core.errors import DroptableError

if TYPE_CHECKING:
    from gettext import GNUTranslations

    from babel import Locale
    from babel.messages.catalog import Catalog, Message


def _tag(file: Path) -> str:
    """The language of a catalogue: `pt-BR` of `pt-BR.po` and of `pt_BR.po`."""
    return file.stem.replace("_", "-")


SOURCE = "en"  # what the code is written in
FOLDER = Path(__file__).parent.parent / "locale"
LANGUAGES = (SOURCE, *sorted(map(_tag, FOLDER.glob("*.po"))))

_folders = [FOLDER]  # a text that several translate is taken from the first
_spoken: ContextVar[str] = ContextVar("language", default=SOURCE)


def _(text: str) -> str:
    """A text in the language spoken now."""
    language = _spoken.get()
    return text if language == SOURCE or not text else _translations(language).gettext(text)


def ngettext(singular: str, plural: str, count: int) -> str:
    """A text in the form that a count takes in the language spoken now; -1 counts as 1 does."""
    language, count = _spoken.get(), abs(int(count))
    if language == SOURCE:
        return singular if count == 1 else plural
    return _translations(language).ngettext(singular, plural, count)


def counted(singular: str, plural: str, count: int) -> str:
    """A text in the form that a count takes, with the {count} filled in: `3 cards`."""
    return ngettext(singular, plural, count).format(count=count)


def N_(text: str) -> str:  # noqa: N802  (the name that gettext's tools know)
    """Mark a text for translators where it is written; `_` translates it where it is shown."""
    return text


def spoken() -> str:
    """The language spoken now, as a tag: `en`, `de`."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language in this block."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def add_catalogues(folder: Path) -> None:
    """Also use the catalogues in a folder, for example those of a game: `de.po`, `pt-BR.po`."""
    if folder not in _folders:
        _folders.append(folder)
        for cached in (_merged, _translations, browser_texts):
            cached.cache_clear()


def catalogue_files(language: str) -> list[Path]:
    """The catalogues of a language, the most important first."""
    names = dict.fromkeys((language, language.replace("-", "_")))
    files = (folder / f"{name}.po" for folder in _folders for name in names)
    return [file for file in files if file.is_file()]


def read_catalogue(file: Path) -> Catalog:
    """The catalogue in a file; `DroptableError` if it cannot be read."""
    from babel.messages.pofile import PoFileError, read_po

    try:
        with file.open("rb") as opened:
            return read_po(opened, _locale(_tag(file)), abort_invalid=True)
    except (PoFileError, UnicodeError) as error:
        raise DroptableError(f"{file} is not a catalogue of texts: {error}") from error


def is_translated(message: Message) -> bool:
    """Whether an entry of a catalogue can be shown: it has all its forms, and is not fuzzy."""
    forms = (message.string,) if isinstance(message.string, str) else message.string or ("",)
    return all(forms) and not message.fuzzy


def native_name(language: str) -> str:
    """What a language calls itself: `Deutsch`."""
    locale = _locale(language)
    name = locale.display_name if locale else None
    return name[:1].upper() + name[1:] if name else language


@cache
def browser_texts(language: str) -> dict[str, str | dict[str, str]]:
    """Texts and their translations; those with a count by the plural categories of `Intl`."""
    if language == SOURCE:
        return {}
    catalogue, translations = _merged(language), _translations(language)
    counts: dict[str, int] = {}  # an example of each category: 1 of `one`
    for count in (*range(1001), 1_000_000):
        category = catalogue.locale.plural_form(count) if catalogue.locale else str(count)
        counts.setdefault(category, count)
    texts: dict[str, str | dict[str, str]] = {}
    for message in catalogue:
        if not message.id:  # the header
            continue
        if isinstance(message.id, str):
            texts[message.id] = translations.gettext(message.id)
        else:
            singular, plural = message.id
            texts[singular] = {
                category: translations.ngettext(singular, plural, count)
                for category, count in counts.items()
            }
    return texts


@cache
def _translations(language: str) -> GNUTranslations:
    """The translations of a language, as gettext looks them up."""
    from gettext import GNUTranslations
    from io import BytesIO

    from babel.messages.mofile import write_mo

    compiled = BytesIO()
    write_mo(compiled, _merged(language))
    compiled.seek(0)
    return GNUTranslations(compiled)


@cache
def _merged(language: str) -> Catalog:
    """All catalogues of a language in one, with the plural rule of the first."""
    from babel.messages.catalog import Catalog

    merged = Catalog(_locale(language))
    for file in reversed(catalogue_files(language)):  # what is read later wins
        catalogue = read_catalogue(file)
        merged.mime_headers = catalogue.mime_headers
        for message in catalogue:
            if message.id and is_translated(message):
                merged.delete(message.id)
                merged[message.id] = message
    return merged


@cache
def _locale(language: str) -> Locale | None:
    """What is known about a language in general, if anything."""
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return None
