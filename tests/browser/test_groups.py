"""A standing group in the browser."""

from tests.browser.conftest import PHONE
from tests.browser.test_friends import act


def fits(page):
    """Whether nothing is wider than a phone."""
    return page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_group_meets(person):
    """One founds a group and shares its link; the other joins by it on a phone, takes a seat at the
    table that is started for the group, and the results count the match."""
    anna, ben = person("Anna"), person("Ben", way="touch")
    page = anna.page
    anna.go("friends")
    page.get_by_label("New group").fill("Friday table")
    page.get_by_role("button", name="Make a group").click()
    page.get_by_role("heading", name="Friday table").wait_for()
    link = page.get_by_label("Link").input_value()
    assert page.get_by_alt_text("QR code of the link").evaluate("image => image.naturalWidth") > 0
    phone = ben.page
    phone.goto(link)
    phone.get_by_text("You were given the link to this group.").wait_for()
    assert phone.get_by_label("Link").count() == 0
    phone.get_by_role("button", name="Join the group").tap()
    phone.get_by_text("2 members").wait_for()
    page.reload()
    page.get_by_role("button", name="Drop.", exact=True).click()
    assert page.get_by_label("Public table").count() == 0
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    table = page.url.rpartition("/")[2]
    phone.reload()
    phone.get_by_role("link", name="Take a seat").tap()
    phone.wait_for_url(f"**/t/{table}")
    act(ben, table, "join")
    act(ben, table, "resign")
    phone.goto(link)
    phone.get_by_text("1 match together").wait_for()
    rows = phone.locator(".group-results tbody tr").all_inner_texts()
    assert [row.split()[:2] for row in rows] == [["Anna", "founder"], ["Ben", "1"]]
    assert "1 (100 %)" in rows[0] and fits(phone)
    replay = phone.get_by_role("link", name="Drop.", exact=True)
    assert replay.get_attribute("href") == f"replay/{table}"


def test_a_founder_removes_and_a_member_leaves(person):
    """The start page lists one's groups. The founder removes somebody, who then finds no group;
    whoever leaves is led to their friends."""
    anna, ben, cleo = person("Anna"), person("Ben", way="touch"), person("Cleo")
    group = anna.ask("POST", "groups", {"name": "Saturday"})["group"]
    secret = anna.ask("GET", f"groups/{group}/link")["link"].rpartition("/")[2]
    for someone in (ben, cleo):
        someone.ask("POST", f"groups/{secret}/members")
    ben.go("")
    ben.page.get_by_role("link", name="Saturday").tap()
    ben.page.get_by_text("3 members").wait_for()
    anna.go(f"g/{group}")
    anna.page.get_by_role("button", name="Remove: Ben").click()
    anna.page.get_by_role("button", name="Remove", exact=True).last.click()
    anna.page.get_by_text("2 members").wait_for()
    ben.page.reload()
    ben.page.get_by_text("There is no such group").wait_for()
    ben.errors.clear()  # the browser's own line about the answer 404
    cleo.go(f"g/{secret}")
    cleo.page.get_by_role("button", name="Leave the group").click()
    cleo.page.get_by_role("button", name="Leave", exact=True).click()
    cleo.page.wait_for_url("**/friends")
    assert cleo.ask("GET", "groups") == []
