"""Friends and invitations in the browser."""

from tests.browser.conftest import PHONE


def test_an_invitation_by_name_appears_at_home_and_is_declined(person):
    """Two people have played together: one invites the other by name, who finds the table on the
    start page of a phone, declines it there, and then blocks whoever asked."""
    anna, ben = person("Anna"), person("Ben", way="touch")
    played = anna.ask("POST", "tables", {"game": "drop"})["table"]
    act(ben, played, "join")
    act(ben, played, "resign")
    anna.open_table("drop", ["me", "open"])
    anna.page.get_by_role("button", name="By name").click()
    anna.page.get_by_role("button", name="Invite Ben").click()
    anna.page.get_by_role("button", name="Ben is invited").wait_for()
    page = ben.page
    ben.go("")
    page.get_by_text("Anna invites you to Drop.").wait_for()
    assert page.get_by_role("link", name="Go to the table").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="Decline").tap()
    page.get_by_text("You are invited").wait_for(state="detached")
    ben.go("friends")
    page.get_by_role("button", name="Block: Anna").tap()
    page.get_by_text("cannot invite you").wait_for()
    assert page.get_by_role("button", name="Unblock: Anna").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    anna.open_table("drop", ["me", "open"])
    anna.page.get_by_role("button", name="By name").click()
    anna.page.get_by_text("People you have finished a match with appear here.").wait_for()


def act(someone, table, kind):
    """Send a command."""
    envelope = {"id": kind, "command": {"type": kind}}
    assert someone.ask("POST", f"tables/{table}/commands", envelope)["ok"]
