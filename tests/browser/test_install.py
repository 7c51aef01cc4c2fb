"""The app on a device: installed, without a connection, and with files that are shared."""

from __future__ import annotations

import json

import pytest

import droptable

READY = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
COUNT_BADGES = """
  window.badges = [];
  navigator.setAppBadge = (count) => { badges.push(count); return Promise.resolve(); };
  navigator.clearAppBadge = () => { badges.push(0); return Promise.resolve(); };
"""
SHARE = """([action, text]) => {
  const file = new File([text], "match.json", { type: "application/json" });
  const chosen = new DataTransfer();
  chosen.items.add(file);
  const form = document.createElement("form");
  Object.assign(form, { action, method: "post", enctype: "multipart/form-data" });
  const field = Object.assign(document.createElement("input"), { type: "file", name: "record" });
  field.files = chosen.files;
  form.append(field);
  document.body.append(form);
  form.submit();
}"""


@pytest.fixture
def anna(person):
    """Somebody whose pages are in the care of the worker."""
    player = person("Anna", service_workers="allow")
    player.go("")
    player.page.wait_for_function(f"() => {READY}")
    return player


def test_the_browser_finds_nothing_against_installing(anna):
    """Chromium's own list of what keeps a page from being installed is empty."""
    devtools = anna.context.new_cdp_session(anna.page)
    found = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A window without a profile is never offered to install anything; the rest is about the page.
    assert [e["errorId"] for e in found if e["errorId"] != "in-incognito"] == []
    assert devtools.send("Page.getAppManifest")["errors"] == []


def test_without_a_connection(anna):
    """A page that cannot be loaded says so, and goes on when the connection is back."""
    anna.context.set_offline(True)
    anna.page.goto(f"{anna.server}/learn/depot")
    assert anna.page.inner_text("h1") == "No connection"
    assert "safe on the server" in anna.page.inner_text("main")
    anna.context.set_offline(False)
    anna.page.wait_for_selector("main h2")
    assert anna.page.url == f"{anna.server}/learn/depot"
    anna.errors.clear()  # of what could not be loaded


def test_a_shared_record_is_opened(anna):
    """A file that is shared with the app becomes a replay; what is no record is refused."""
    record = droptable.play(droptable.game("drop-or-pop"), players=3, seed=1)
    anna.page.evaluate(SHARE, [f"{anna.server}/share", record.to_json()])
    anna.page.wait_for_url("**/replay/record:*")
    anna.page.wait_for_selector(".board svg")
    anna.page.evaluate(SHARE, [f"{anna.server}/share", "no record"])
    anna.page.wait_for_url("**/replay?shared=refused")
    anna.page.wait_for_selector("text=What you shared is not a record.")
    anna.errors.clear()  # the refusal


def test_the_badge_counts_my_turns(person):
    """The icon shows how many tables wait for me."""
    anna = person("Anna")
    anna.context.add_init_script(COUNT_BADGES)
    anna.open_table("drop", ["me", "random"])
    anna.open_table("drop", ["me", "random"])
    anna.go("")
    anna.page.wait_for_function("() => badges.at(-1) === 2")


def test_a_push_counts_my_turns(anna):
    """A notice that comes while no page counts brings the icon up to date."""
    devtools = anna.context.new_cdp_session(anna.page)
    registrations = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(event["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    anna.context.grant_permissions(["notifications"])
    anna.ask("POST", "tables", {"game": "drop", "seats": ["me", "random"]})
    worker = anna.context.service_workers[0]
    worker.evaluate("() => { navigator.setAppBadge = async (count) => { self.badge = count; }; }")
    notice = {"id": "1", "title": "Your turn", "text": "Drop.", "url": anna.server}
    push = {
        "origin": anna.server, "registrationId": registrations[0]["registrationId"],
        "data": json.dumps(notice),
    }  # fmt: skip
    devtools.send("ServiceWorker.deliverPushMessage", push)
    for _attempt in range(100):
        if worker.evaluate("() => self.badge") == 1:
            return
        anna.page.wait_for_timeout(100)
    raise AssertionError("the badge was not set")
