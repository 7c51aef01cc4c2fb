"""The page of the deals of the day, on a phone."""

from tests.browser.conftest import PHONE


def test_a_daily_on_a_phone(person):
    """All games fit the screen; one tap leads to the table, and back to go on with it."""
    anna = person("Anna", way="touch")
    page = anna.page
    page.set_viewport_size(PHONE)
    anna.go("daily")
    page.wait_for_selector(".deal")
    assert page.locator(".deal").count() == 5
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.locator('[data-game="number-drop"] button').tap()
    page.wait_for_url("**/t/*")
    page.wait_for_selector(".board svg")
    table = page.url.rsplit("/", 1)[1]
    anna.go("daily")
    page.get_by_role("button", name="Go on").tap()
    page.wait_for_url(f"**/t/{table}")
