"""Profile and leaderboard in the browser."""

import sqlite3

from tests.browser.conftest import PHONE


def rate(server, identity_name, game, number):
    """Let the database know somebody as rated, as after enough matches."""
    with sqlite3.connect(server.database) as connection:
        (identity,) = connection.execute(
            "SELECT id FROM identities WHERE name = ?", (identity_name,)
        ).fetchone()
        connection.execute(
            "INSERT INTO ratings VALUES (?, ?, ?, 0.2, 30, 18.0, 1790000000)",
            (identity, game, number),
        )


def test_a_profile_and_the_leaderboard_on_a_phone(person, server):
    """From the settings to the own profile, where one can hide; the leaderboard leads to the
    profiles of others; nothing is wider than the screen."""
    petra, rolf = person("Petra", way="touch"), person("Rolf")
    for someone in (petra, rolf):
        someone.go("")
        someone.page.wait_for_function("fetch('api/me').then(r => r.json()).then(me => me.name)")
    rate(server, "Petra", "drop", 0.9)
    rate(server, "Rolf", "drop", 0.3)
    page = petra.page
    page.get_by_role("button", name="Settings").tap()
    page.get_by_role("link", name="My profile").tap()
    page.wait_for_selector(".ratings .number")
    assert "1656 ± 69" in page.locator(".ratings .number").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="Hide").tap()
    page.get_by_role("button", name="Show").wait_for()
    rolf.go("leaders?game=drop")
    rolf.page.wait_for_selector("table.leaders")
    named = rolf.page.locator("table.leaders tbody th").all_inner_texts()
    assert "Rolf" in named and "Petra" not in named
    page.get_by_role("button", name="Show").tap()
    page.get_by_role("button", name="Hide").wait_for()
    rolf.go("leaders?game=drop")
    rolf.page.get_by_role("link", name="Petra").click()
    rolf.page.wait_for_url("**/p/*")
    rolf.page.wait_for_selector(".ratings .number")
    assert rolf.page.get_by_role("heading", name="Petra").count() == 1
    assert rolf.page.get_by_role("button", name="Hide").count() == 0


def test_people_of_a_running_match_lead_to_their_profiles(person):
    """Beside the board the log names the others with links to their profiles; bots have none, and
    neither has who hides."""
    anna, ben = person("Anna"), person("Ben")
    table = anna.open_table("depot", ["me", "open", "random"], public=True)
    ben.ask("PUT", "people/me", {"hidden": True})
    join = {"id": "1", "command": {"type": "join"}}
    assert ben.ask("POST", f"tables/{table}/commands", join)["ok"]
    ben.go(f"t/{table}")
    page = ben.page
    page.wait_for_selector("body[data-status=playing]")
    if not page.locator(".drawer.open").count():
        page.get_by_role("button", name="Log").first.click()
    links = page.locator(".drawer .people-here a")
    links.first.wait_for()
    id_ = anna.ask("GET", "people/me")["id"]
    assert links.evaluate_all("all => all.map(a => [a.textContent, a.getAttribute('href')])") == [
        ["Anna", f"p/{id_}"]
    ]


def test_pages_without_anything_yet_lead_on(person):
    """Somebody without a name, or without a match, is told what to do: no page is a dead end."""
    zoe = person(None)
    page = zoe.page
    zoe.go("friends")
    page.get_by_role("link", name="To the start page", exact=True).wait_for()
    zoe.go("p/me")
    page.get_by_role("button", name="Choose a name").click()
    page.get_by_role("textbox").fill("Zoe")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("heading", name="Zoe").wait_for()
    zoe.go("mistakes")
    page.get_by_role("link", name="To the start page", exact=True).wait_for()
