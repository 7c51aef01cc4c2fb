"""Languages in a browser: plurals by its own rules, and the list of those that are offered."""

from __future__ import annotations

import pytest

from droptable.web.language import offered

SAY = """async (count) => {
  const { tn } = await import(`${document.baseURI}static/i18n.js`);
  return [tn("{count} minute", "{count} minutes", count), tn("{count} x", "{count} xs", count)];
}"""


@pytest.mark.parametrize(
    ("locale", "forms"),
    [
        ("en-GB", {0: "0 minutes", 1: "1 minute", 2: "2 minutes"}),
        ("de-AT", {0: "0 Minuten", 1: "1 Minute", 2: "2 Minuten"}),
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
