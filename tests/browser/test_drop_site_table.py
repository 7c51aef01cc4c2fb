"""Drop Site at the table: rounds end with a scene of their own, and a choice can be changed."""

from __future__ import annotations

import pytest

from tests.browser.player import Player

expect = pytest.importorskip("playwright.sync_api").expect

# Notes what every picture shows while the beats are played: what is said, cards in the air, and
# the faces of the reserves.
WATCH = """
window.seen = [];
const look = () => {
  const faces = [...document.querySelectorAll(".board svg > [id^=hidden-]")];
  const now = {
    said: document.querySelector(".prompt")?.textContent ?? "",
    faces: faces.map((card) => card.dataset.face).join(" "),
    chute: Boolean(document.querySelector("#parachute")),
    moving: document.getAnimations().some((a) => a.effect?.target?.closest(".board")),
    total: document.querySelector("#total-0 text")?.textContent ?? "",
  };
  if (JSON.stringify(now) !== JSON.stringify(window.seen.at(-1))) window.seen.push(now);
  requestAnimationFrame(look);
};
addEventListener("load", look);
"""
HAND = '.board [data-touch^="hand-"]'


def watching(person, way: str = "mouse") -> Player:
    """Somebody at a table with a bot, at normal speed, who sees everything move."""
    anna = person(way=way, speed="normal", reduced_motion="no-preference")
    anna.context.add_init_script(WATCH)
    return anna


def play(anna: Player, where: str) -> None:
    """Play the first card of the hand there."""
    anna.page.wait_for_selector(f"{HAND}.can")
    anna.use(anna.page.locator(f"{HAND}.can").first)
    anna.use(anna.page.locator(f'.board [data-touch="{where}"]'))


def open_sites(anna: Player) -> None:
    """Hide a card, then open sites until the round is over."""
    play(anna, "reserve")
    for _ in range(6):
        anna.page.wait_for_selector(f"{HAND}.can, .board [id^=hidden-]")
        if anna.page.locator(".board [id^=hidden-]").count():
            return
        play(anna, "new-site")
        anna.page.wait_for_selector("#parachute, .board [id^=hidden-]", state="attached")


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_a_round_end_is_seen(person, way):
    """Reserves lie face down, are turned up seat by seat, totals change, then comes the deal."""
    anna = watching(person, way)
    anna.open_table("drop-site", ["me", "easy"], options={"target": 500})
    open_sites(anna)
    anna.page.wait_for_selector(f"{HAND}.can", timeout=60_000)
    seen = anna.page.evaluate("window.seen")
    said = list(dict.fromkeys(now["said"] for now in seen if now["said"]))
    ended = next(i for i, text in enumerate(said) if text.endswith("round 1 ends."))
    scene = said[ended:]
    assert scene[1].startswith(("Anna scores", "Anna has hidden nothing")), said
    assert scene[3].startswith("After round 1: ")
    assert scene[4].startswith("Round 2: everybody is dealt 5 cards; the first site shows ")
    faces = list(dict.fromkeys(now["faces"] for now in seen if now["faces"]))
    assert set(faces[0].split()) == {"back"}
    assert "back" not in faces[-1] and 2 <= len(faces) <= 3
    assert any(now["chute"] and now["moving"] for now in seen), "nothing was dropped"
    assert any(now["moving"] for now in seen if now["faces"]), "no card was turned"


def test_a_round_end_can_be_skipped(person):
    """A click on the board goes to the next round at once, without the other moments."""
    anna = watching(person)
    anna.open_table("drop-site", ["me", "easy"], options={"target": 500})
    open_sites(anna)
    anna.page.locator("div.board").click(position={"x": 8, "y": 8})
    anna.page.wait_for_selector(f"{HAND}, .board [id^=back-]", state="attached")
    said = [now["said"] for now in anna.page.evaluate("window.seen")]
    assert not any(text.startswith("After round 1") for text in said)


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_another_card_can_be_picked_instead(person, way):
    """Touching another card of the hand replaces the one that was picked; no error is shown."""
    anna = person(way=way)
    anna.open_table("drop-site", ["me", "easy"])
    anna.page.wait_for_selector(f"{HAND}.can")
    anna.use(anna.page.locator(HAND).nth(0))
    anna.use(anna.page.locator(HAND).nth(3))
    expect(anna.page.locator(f"{HAND}.picked")).to_have_count(1)
    assert "picked" in anna.page.locator(HAND).nth(3).get_attribute("class")
    assert anna.page.locator(".notice:not([hidden])").count() == 0
    expect(anna.page.locator('.board [data-touch="reserve"].can')).to_have_count(1)
