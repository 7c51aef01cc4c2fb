"""The page for other devices: a link with its code, a recovery key, and the way back."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_lost_and_found(person, way):
    """Anna notes her words, and is Anna again on a new device; a wrong word is named."""
    anna = person("Anna", way)
    anna.go("move")
    anna.page.click("text=Make a recovery key")
    words = anna.page.inner_text(".key-words")
    assert len(words.split()) == 8
    other = person(None, way)
    other.go("move")
    other.page.fill("#words", words.replace(words.split()[0], "hello"))
    other.page.click("text=Bring me back")
    other.page.wait_for_selector("[role=alert]:has-text('hello')")
    other.errors.clear()  # the refusal
    other.page.fill("#words", words)
    other.page.click("text=Bring me back")
    other.page.wait_for_selector("text=Welcome, Anna!")


def test_the_link_has_a_code(person):
    """The code of the link is a picture that loads."""
    anna = person("Anna")
    anna.go("move")
    anna.page.click("text=Make the link")
    picture = anna.page.wait_for_selector("main img")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 50
