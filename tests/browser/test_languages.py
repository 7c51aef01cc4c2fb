"""Languages in a browser: plurals by its own rules, and the list of those that are offered."""

from __future__ import annotations

import pytest

from droptable.web.language import offered

SAY = """async (count) => {
  const { tn } = await import(`${document.baseURI}static/i18n.js`);
  return [tn("{count} minute", "{count} minutes", count), tn("{count} x", "{count} xs", count)];
}"""
CUT = """() => [
  ...(document.documentElement.scrollWidth > innerWidth ? ["the page"] : []),
  ...[...document.querySelectorAll("button, main a")]
    .filter((thing) => thing.clientWidth && thing.scrollWidth > thing.clientWidth + 1)
    .map((thing) => thing.textContent),
]"""


@pytest.mark.parametrize(
    ("locale", "forms"),
    [
        ("en-GB", {0: "0 minutes", 1: "1 minute", 2: "2 minutes"}),
        ("de-AT", {0: "0 Minuten", 1: "1 Minute", 2: "2 Minuten"}),
        ("fr-CA", {0: "0 minute", 1: "1 minute", 2: "2 minutes", 10**6: "1000000 minutes"}),
        ("es-MX", {0: "0 minutos", 1: "1 minuto", 2: "2 minutos", 10**6: "1000000 minutos"}),
    ],
)
def test_counts_take_their_form(person, locale, forms):
    """One minute is no "1 minutes" in any language; what is not translated has English plurals."""
    anna = person(locale=locale)
    anna.go("")
    anna.page.wait_for_selector("main h2")
    for count, said in forms.items():
        assert anna.page.evaluate(SAY, count) == [said, f"{count} x{'' if count == 1 else 's'}"]


def test_a_language_is_chosen(person):
    """The settings list all languages by their own names; the choice outlives the page."""
    anna = person(locale="en-GB")
    anna.go("")
    anna.page.click("header button.icon")
    options = anna.page.locator("dialog select").first.locator("option")
    assert options.all_text_contents() == list(offered().values())
    anna.page.locator("dialog select").first.select_option("de")
    anna.page.wait_for_selector("html[lang=de] main h2")
    anna.go("")
    anna.page.wait_for_selector("html[lang=de] main h2")


@pytest.mark.parametrize(
    ("locale", "language", "title"),
    [
        ("fr-CH", "fr", "Apprendre les jeux"),
        ("es-AR", "es", "Aprender los juegos"),
        ("de-AT", "de", "Spiele lernen"),
        ("en-AU", "en", "Learn the games"),
        ("ja-JP", "en", "Learn the games"),
    ],
)
def test_the_first_visit_is_in_the_language_of_the_device(person, locale, language, title):
    """Nothing has been chosen yet: the device decides, and English is for all other languages."""
    anna = person(None, locale=locale)
    anna.go("")
    anna.page.wait_for_selector(f"html[lang={language}] main h2")
    assert anna.page.evaluate("localStorage.getItem('language')") is None
    anna.page.get_by_role("link", name=title).first.wait_for()


@pytest.mark.parametrize("locale", ["fr-FR", "es-ES"])
def test_longer_words_fit(person, locale):
    """On a desk, no page is wider than its screen, and no button cuts its text; test_narrow.py does
    the same on a phone, for all pages."""
    anna = person(locale=locale)
    for path in ("", "learn", "learn/number-drop", "replay"):
        anna.go(path)
        anna.page.wait_for_selector("main h2, main h1")
        assert anna.page.evaluate(CUT) == [], path
