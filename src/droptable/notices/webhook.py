"""Webhooks: plain JSON, or the form that Discord or Slack shows."""

from __future__ import annotations

import re
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from droptable.notices.reach import Reach, judge
from droptable.notices.words import Message

Form = Literal["json", "discord", "slack"]
HOSTS: dict[str, Form] = {"discord.com": "discord", "discordapp.com": "discord",
                          "hooks.slack.com": "slack"}  # fmt: skip


class Hook(Struct, frozen=True):
    """Where a person wants messages, and in which form."""

    url: str
    form: Form


def form_of(url: str) -> Form:
    """The form that a service at this address understands."""
    try:
        return HOSTS.get((urlsplit(url).hostname or "").removeprefix("www."), "json")
    except ValueError:
        return "json"


class Webhook:
    """Sends to addresses that people have named."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    async def check(self, url: str) -> None:
        """`Rejected` unless something could be sent there."""
        await self._reach.place(url)

    async def send(self, address: str, message: Message) -> None:
        """Post a message. Its id is in a header: a receiver can tell that it came twice."""
        hook = msgspec.json.decode(address, type=Hook)
        place = await self._reach.place(hook.url)
        headers = {"Content-Type": "application/json", "Idempotency-Key": message.id}
        body = msgspec.json.encode(content(message, hook.form))
        judge(await self._reach.post(place, headers, body))


def content(message: Message, form: Form) -> dict[str, Any]:
    """A message in the form of a service; names of players ping nobody there."""
    if form == "discord":
        text = f"**{_plain(message.title)}**\n{_plain(message.text)}\n<{message.url}>"
        return {"content": text[:1900], "allowed_mentions": {"parse": []}}
    if form == "slack":
        text = f"*{_escaped(message.title)}*\n{_escaped(message.text)}\n<{message.url}>"
        return {"text": text[:3000], "unfurl_links": False}
    return {
        "id": message.id, "kind": message.kind, "title": message.title, "text": message.text,
        "url": message.url, "at": message.at, "notices": msgspec.to_builtins(message.parts),
    }  # fmt: skip


def _plain(text: str) -> str:
    return re.sub(r"([\\*_~`|>#\[\]()@:-])", r"\\\1", text)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
