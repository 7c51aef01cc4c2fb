"""The page where people choose to be called back."""

from __future__ import annotations

import pytest

from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.player import Player
from tests.notices.conftest import calling, receivers  # noqa: F401
from tests.web.conftest import run


@pytest.fixture(scope="module")
def caller(receivers, tmp_path_factory):  # noqa: F811
    """A server that calls people back."""
    folder = tmp_path_factory.mktemp("notices")
    yield from run(calling(receivers, folder, "https://games.example.org"))


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_choosing_where_and_when(chromium, caller, receivers, way):  # noqa: F811
    """Anna adds a webhook and an address, switches a kind off, sets quiet hours, gets a test, and
    reads what was wrong with an address; what she chose is there after a reload."""
    size = PHONE if way == "touch" else DESKTOP
    context = chromium.new_context(viewport=size, has_touch=way == "touch",
                                   permissions=["notifications"])  # fmt: skip
    anna = Player(context, caller.address, way, "Anna")
    anna.go("notices")
    page = anna.page
    page.fill("#webhook", "https://10.0.0.1/x")
    page.click("form:has(#webhook) button")
    page.wait_for_selector("[role=alert]:has-text('not a public address')")
    anna.errors.clear()  # the refusal
    page.fill("#webhook", receivers.hook(way))
    page.click("form:has(#webhook) button")
    page.wait_for_selector("li[data-way=webhook][data-state=on]")
    page.click("text=Send a test")
    assert receivers.wait(lambda a: a.who == way).title == "Droptable can reach you"
    page.fill("#mail", f"{way}@example.org")
    page.click("form:has(#mail) button")
    page.wait_for_selector("li[data-way=mail][data-state=new]")
    for change in (
        lambda: page.uncheck("[data-kind=over]"),
        lambda: page.fill("input[type=time] >> nth=0", "22:00"),
    ):
        with page.expect_response("**/api/me/notices?*"):
            change()
    mail = receivers.wait(lambda a: a.way == "mail" and a.who == way)
    page.goto(f"{anna.server}/notices#{mail.url.partition('#')[2]}")
    page.reload()
    page.wait_for_selector("text=Your address is confirmed")
    anna.go("notices")
    page.wait_for_selector("li[data-way=mail][data-state=on]")
    assert not page.is_checked("[data-kind=over]") and page.is_checked("[data-kind=turn]")
    assert page.input_value("input[type=time] >> nth=0") == "22:00"
    wide = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert wide and not anna.errors, anna.errors
    context.close()


def test_nothing_is_offered_where_nothing_is_configured(person):
    """The settings have no way to notices, and the page says why."""
    anna = person("Anna")
    anna.go("notices")
    anna.page.wait_for_selector("text=This server sends no notices.")
