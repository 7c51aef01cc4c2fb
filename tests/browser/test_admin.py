"""The host's page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.player import Player
from tests.web.conftest import GENEROUS, run

TOKEN = "only-the-host-knows-this-token"


@pytest.fixture(scope="module")
def hosted(tmp_path_factory):
    file = tmp_path_factory.mktemp("admin") / "tables.db"
    yield from run(replace(GENEROUS, database=str(file), admin_token=TOKEN))


def test_a_host_announces_and_blocks(chromium, hosted):
    """The host opens the page by the token, announces something that Mia sees on her page, blocks
    Mia, who is told why, and removes what she said; the token is in no address."""
    mia_context = chromium.new_context(viewport=PHONE, has_touch=True)
    mia = Player(mia_context, hosted.address, "touch", "Mia")
    mia.go("")
    table = mia.page.evaluate(
        "fetch('api/tables', {method: 'POST', body: '{\"game\": \"drop\"}'})"
        ".then((r) => r.json()).then((r) => r.table)"
    )
    command = '{"id": "c1", "seq": null, "command": {"type": "chat", "text": "rude words"}}'
    mia.page.evaluate(
        f"fetch('api/tables/{table}/commands', {{method: 'POST', body: '{command}'}})"
    )
    context = chromium.new_context(viewport=DESKTOP)
    page = context.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{hosted.address}/admin")
    page.fill("#token", "wrong")
    page.click("button.main")
    page.wait_for_selector("[role=alert]:has-text('token')")
    page.fill("#token", TOKEN)
    page.click("button.main")
    page.wait_for_selector("[data-list=people] li:has-text('Mia')")
    page.wait_for_selector("img[src^=blob]")
    page.fill("#announcement", "Back at noon")
    page.click("text=Announce >> nth=-1")
    page.wait_for_selector(".toast:has-text('Done')")
    mia.go("")
    mia.page.wait_for_selector(".announcement:has-text('Back at noon')")
    page.click("[data-list=tables] button:has-text('Chat')")
    page.click("[data-list=tables] .found .found li:has-text('rude words') button")
    page.wait_for_selector("[data-list=tables] .found .found li:has-text('…')")
    page.click("[data-list=people] button:text-is('Block')")
    page.fill("#answer", "rudeness")
    page.click("dialog button.main")
    page.wait_for_selector("li[data-blocked=true]:has-text('rudeness')")
    mia.go("")
    mia.page.wait_for_selector(".announcement:has-text('rudeness')")
    assert not any(TOKEN in url for url in asked)
    mia_context.close()
    context.close()
