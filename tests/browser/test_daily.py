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


def test_days_are_the_same_in_all_time_zones(person):
    """West and east of UTC the page names the day of the server, and when the next one begins by
    the clock of the device."""
    for zone, begins in (
        ("America/Los_Angeles", ("4:00 PM", "5:00 PM")),
        ("Asia/Tokyo", ("9:00 AM",)),
    ):
        anna = person("Anna", timezone_id=zone, locale="en-GB")
        anna.go("daily")
        heading = anna.page.locator("header h2 small")
        heading.wait_for()
        day = int(anna.ask("GET", "daily")["day"][8:])
        assert str(day) in heading.inner_text().replace(",", "").split()
        lead = anna.page.locator("header .lead").inner_text().replace("\u202f", " ")
        assert any(f"at {time} where you are" in lead for time in begins), lead
