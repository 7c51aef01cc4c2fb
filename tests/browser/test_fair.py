"""Fair dealing in a real browser: it contributes by itself, remembers, and verifies."""

from __future__ import annotations

import pytest

expect = pytest.importorskip("playwright.sync_api").expect
GAME = "drop-or-pop"


def test_the_browser_contributes_and_verifies(person) -> None:
    """One click plays against bots, with randomness of this browser; so does a rematch. The replay
    page verifies the deal on the server and in the browser, against what the browser noted."""
    anna = person()
    anna.go("")
    anna.page.evaluate(
        f"""async () => {{
          const {{ openTable }} = await import("./static/new_table.js");
          await openTable({{ game: "{GAME}", seats: ["me", "random", "random"] }});
        }}"""
    )
    anna.page.wait_for_selector("body[data-status=playing]")
    first = anna.page.url.rsplit("/", 1)[1]
    promised = anna.ask("GET", f"tables/{first}")["fairness"]
    assert len(promised["contributions"]) == 1
    anna.page.click(".opener[data-tab=log]")
    line = anna.page.locator(".promise .fair")
    expect(line).to_have_text(f"Dealt fairly: commitment {promised['commitment'][:8]}…")
    line.click()
    expect(anna.page.locator("dialog .fingerprint")).to_have_text(promised["commitment"])
    anna.page.click("dialog button")
    command = {"id": "r", "command": {"type": "resign"}}
    anna.ask("POST", f"tables/{first}/commands", command)
    anna.page.wait_for_selector("body[data-status=over]")
    again = {"id": "again", "command": {"type": "rematch"}}
    second = anna.ask("POST", f"tables/{first}/commands", again)["table"]
    assert anna.ask("GET", f"tables/{second}")["status"] == "waiting"
    anna.go(f"t/{second}")
    anna.page.wait_for_selector("body[data-status=playing]")
    given = anna.ask("GET", f"tables/{second}")["fairness"]["contributions"]
    assert len(given) == 1 and given != promised["contributions"]
    anna.go(f"replay/{first}")
    anna.page.click(".verify button")
    found = anna.page.locator(".verify p")
    expect(found).to_contain_text("Dealt fairly: ")
    expect(found).to_contain_text("Checked on the server and in this browser.")
    anna.page.evaluate(
        """() => {
          const notes = JSON.parse(localStorage.getItem("fair"));
          for (const note of notes) note.commitment = "00".repeat(32);
          localStorage.setItem("fair", JSON.stringify(notes));
        }"""
    )
    anna.page.click(".verify button")
    expect(found).to_contain_text("Not fair: the host had committed itself to 000000000000…")


def test_the_browser_finds_a_wrong_card(person) -> None:
    """Its own check does not rely on the server's word."""
    anna = person()
    table = anna.open_table("drop-site", ["me", "random"])
    anna.ask("POST", f"tables/{table}/commands", {"id": "r", "command": {"type": "resign"}})
    report = anna.ask("GET", f"replays/table:{table}/verify")
    check = """async ({ fairness, deals }) =>
      (await import("./static/fair.js")).firstWrong(fairness, deals)"""
    assert anna.page.evaluate(check, report) is None
    deal = report["deals"][0]
    deal["token"] = next(token for token, _ in deal["outcomes"] if token != deal["token"])
    assert anna.page.evaluate(check, report) == deal["event"]
    report["fairness"]["secret"] = "00" * 32
    assert anna.page.evaluate(check, report) == -1
