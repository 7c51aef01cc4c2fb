"""Plays in a browser, by mouse, keyboard or touch; knows no game, only what glows."""

from __future__ import annotations

import random
from typing import Any

NEXT = "body[data-status=over], .board .can, .moves button"
MOST_TOUCHES = 4000


class Player:
    """One browser context with one page."""

    def __init__(self, context: Any, server: str, way: str, name: str | None) -> None:
        self.context = context
        self.server = server
        self.way = way
        self.random = random.Random(3)
        self.page = context.new_page()
        self.page.set_default_timeout(30_000)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._console)
        if name is not None:
            self.ask("PUT", "me", {"name": name})

    def _console(self, message: Any) -> None:
        if message.type == "error" and "net::ERR_" not in message.text:
            self.errors.append(message.text)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """A request to the API with this person's cookie."""
        answer = self.context.request.fetch(f"{self.server}/api/{path}", method=method, data=body)
        assert answer.ok, answer.text()
        return answer.json()

    def go(self, path: str = "") -> None:
        """Open a page of the server."""
        self.page.goto(f"{self.server}/{path}")

    def open_table(self, game: str, seats: list[str], **settings: Any) -> str:
        """A table of one's own, and its page."""
        table = self.ask("POST", "tables", {"game": game, "seats": seats, **settings})["table"]
        self.go(f"t/{table}")
        return str(table)

    @property
    def status(self) -> str | None:
        """`waiting`, `playing`, `over`, as the page says."""
        return self.page.get_attribute("body", "data-status")

    @property
    def prompt(self) -> str:
        """What the page says to do."""
        return str(self.page.inner_text(".prompt"))

    def play_on(self) -> None:
        """Touch something that glows, again and again, until the match is over."""
        for _ in range(MOST_TOUCHES):
            self.page.wait_for_selector(NEXT, state="attached")
            if self.status == "over":
                return
            self.touch_something()
        raise AssertionError(f"not over after {MOST_TOUCHES} touches: {self.prompt}")

    def touch_something(self) -> None:
        """One touch: a thing of the board, or a button below it."""
        things = self.page.locator(".board .can")
        buttons = self.page.locator(".moves button")
        count, others = things.count(), buttons.count()
        if count + others == 0:
            return
        chosen = self.random.randrange(count + others)
        if chosen >= count:
            self.use(buttons.nth(chosen - count))
        else:
            self.use(things.nth(chosen))
        self.page.wait_for_timeout(5)

    def use(self, thing: Any) -> None:
        """Touch in this person's way. It does not matter if the thing is gone by then."""
        if self.way == "keyboard":
            if thing.evaluate_all("things => things.forEach(thing => thing.focus())") is None:
                self.page.keyboard.press("Enter")
            return
        boxes = thing.evaluate_all(
            "things => things.map(thing => thing.getBoundingClientRect())"
            ".filter(b => b.width).map(b => [b.x + b.width / 2, b.y + b.height / 2])"
        )
        for x, y in boxes[:1]:
            if self.way == "touch":
                self.page.touchscreen.tap(x, y)
                if self.page.locator(".board .armed").count():
                    self.page.touchscreen.tap(x, y)
            else:
                self.page.mouse.click(x, y)
