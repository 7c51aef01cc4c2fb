"""Notices as a server offers them: what its host has configured, and what people choose."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import msgspec
from itsdangerous import BadSignature, URLSafeTimedSerializer

from droptable.core.errors import OptionError
from droptable.core.language import _, spoken
from droptable.notices import mail, what, words
from droptable.notices.courier import Courier, Sender
from droptable.notices.mail import Mail
from droptable.notices.push import Push, Subscription
from droptable.notices.queue import Queue, Target
from droptable.notices.reach import Reach
from droptable.notices.webhook import Form, Hook, Webhook, form_of
from droptable.notices.what import Wishes, id_of
from droptable.notices.words import Message
from droptable.tables.calls import Call
from droptable.tables.daily import day_of
from droptable.tables.decide import Who
from droptable.tables.events import Identity
from droptable.tables.host import Host
from droptable.tables.rejected import Rejected
from droptable.tables.store import Store
from droptable.tables.table import Table

WAYS = ("push", "mail", "webhook")
MOST_TARGETS = 10  # per person
CONFIRM_SECONDS = 2 * 86_400
MAIL_AGAIN = 3600.0  # seconds between two mails to an address that nobody has confirmed
DAILY = "/daily"  # the page of today's deals
SHARE = 1.0  # seconds between two words to other servers about who looks where
RELOAD = 3  # … of them after which it is read anew who can be reached
TIDY = 3600  # … after which is tidied up


@dataclass(frozen=True)
class Means:
    """What a host has configured; without `ways` there are no notices."""

    ways: tuple[str, ...] = ()
    site: str = ""
    smtp: str = ""
    sender: str = ""
    networks: str = ""

    def check(self) -> Means:
        """Itself; `OptionError` names the variable that is wrong or missing."""
        if not self.ways:
            return self
        for way in self.ways:
            if way not in WAYS:
                expected = ", ".join(WAYS)
                raise OptionError(f"DROPTABLE_NOTICES has {way!r}; expected some of {expected}")
        if urlsplit(self.site).scheme not in ("http", "https"):
            example = "the address of this server for people, such as https://games.example.org"
            raise OptionError(f"notices need DROPTABLE_SITE, {example}")
        if "mail" in self.ways:
            mail.Server.of(self.smtp)
            if "@" not in self.sender:
                raise OptionError("mails need DROPTABLE_MAIL_FROM, the address that they come from")
        Reach(self.networks)
        return self


class Notices:
    """The service. `calls` is what a host asks at each commit."""

    def __init__(self, means: Means, store: Store) -> None:
        self.means = means.check()
        self._store = store
        self._queue = Queue(store)
        self._people: set[Identity] = set()
        self._reach = Reach(means.networks)
        self._webhook = Webhook(self._reach)
        self._push: Push | None = None
        self._mail: Mail | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._day = ""  # of which everybody was told

    def calls(self, before: Table | None, after: Table) -> Sequence[Call]:
        """Whom a commit concerns. Costs next to nothing at tables of people without targets."""
        return what.calls(before, after, self._people) if self._people else ()

    async def prepare(self) -> None:
        """Get ready before the host starts."""
        means = self.means
        if not means.ways:
            return
        self._signer = URLSafeTimedSerializer(await self._store.secret("notices"), "notices")
        if "push" in means.ways:
            contact = f"mailto:{means.sender}" if means.sender else means.site
            self._push = Push(await self._store.secret("push"), contact, self._reach)
        if "mail" in means.ways:
            self._mail = Mail(mail.Server.of(means.smtp), means.sender, means.site)
        self._people = await self._queue.people()

    async def start(self, host: Host) -> None:
        """Work for as long as a host runs."""
        self._host = host
        if not self.means.ways:
            return
        if not self._store.is_shared:
            await self._queue.release(host.now)
        self._courier = Courier(
            self._queue, self._senders(), self.means.site, clock=lambda: host.now,
            lookers=host.lookers, server=host.id, shared=self._store.is_shared, counts=host.counts,
        )  # fmt: skip
        self._tasks = [
            asyncio.create_task(self._courier.run()), asyncio.create_task(self._keep_up())
        ]  # fmt: skip

    async def close(self) -> None:
        """Stop, before the host does."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._tasks:
            await self._courier.close()

    def _senders(self) -> dict[str, Sender]:
        senders: dict[str, Sender] = {}
        if "webhook" in self.means.ways:
            senders["webhook"] = lambda target, m: self._webhook.send(target.address, m)
        if (push := self._push) is not None:
            senders["push"] = lambda target, m: push.send(target.address, m)
        if (post := self._mail) is not None:
            senders["mail"] = lambda target, m: post.send(target.address, m, self._stop(target.id))
        return senders

    async def _keep_up(self) -> None:
        """Share who looks, learn who subscribed at other servers, and tidy up."""
        seconds = 0
        while True:
            try:
                await self._keep_up_once(seconds)
            except Exception:
                self._host.counts["failures"] += 1
            seconds += 1
            await asyncio.sleep(SHARE)

    async def _keep_up_once(self, seconds: int) -> None:
        if self._store.is_shared:
            looking = [pair for pair in self._host.lookers.all if pair[1] in self._people]
            await self._queue.share_lookers(self._host.id, looking, self._host.now)
            if seconds % RELOAD == 0:
                self._people = await self._queue.people()
        today = day_of(self._host.now)
        if today != self._day:
            await self.daily(today)
            self._day = today
        if seconds % TIDY == TIDY - 1:
            await self._queue.tidy(self._host.now)

    # -- what people choose -----------------------------------------------------------------------

    @property
    def push_key(self) -> str:
        """What browsers need to subscribe; empty if there is no push here."""
        return "" if self._push is None else self._push.public_key

    def require(self, way: str = "") -> None:
        """`Rejected` unless this server sends notices (that way)."""
        if not self.means.ways:
            raise Rejected("gone", _("this server sends no notices"))
        if way and way not in self.means.ways:
            raise Rejected("gone", _("this server sends no notices that way"))

    async def wishes(self, identity: Identity) -> Wishes:
        """What somebody has chosen, or the defaults."""
        return await self._queue.wishes(identity) or Wishes(language=spoken())

    async def choose(self, identity: Identity, wishes: Wishes) -> None:
        """Remember what somebody chooses; `Rejected` if it makes no sense."""
        try:
            what.tell_at(Call("", identity, "turn", "", 0.0, 0.0), wishes, self._host.now)
            what.zone_of(wishes.zone)
        except ValueError as error:
            raise Rejected("syntax", str(error)) from None
        await self._queue.set_wishes(identity, wishes)

    async def targets(self, identity: Identity) -> list[Target]:
        """Where somebody is reached."""
        return await self._queue.targets(identity)

    async def add_push(self, who: Who, subscription: Subscription) -> Target:
        """Reach somebody by a browser."""
        self.require("push")
        assert self._push is not None
        await self._push.check(subscription)
        address = msgspec.json.encode(subscription).decode()
        return await self._add(who, "push", address, id_of("push", subscription.endpoint))

    async def add_webhook(self, who: Who, url: str, form: Form | None) -> Target:
        """Reach somebody by a webhook; its form follows from the address, unless chosen."""
        self.require("webhook")
        await self._webhook.check(url)
        address = msgspec.json.encode(Hook(url, form or form_of(url))).decode()
        return await self._add(who, "webhook", address, id_of("webhook", who.identity, url))

    async def add_mail(self, who: Who, address: str) -> Target:
        """Reach somebody by mail, once a link in a first mail was followed."""
        self.require("mail")
        address = mail.check(address)
        id_ = id_of("mail", who.identity, address)
        known = {target.id: target for target in await self.targets(who.identity)}
        if id_ in known and known[id_].state == "on":
            return known[id_]
        limited = id_of("confirm", address.lower())
        if not await self._queue.once(limited, self._host.now, MAIL_AGAIN):
            message = _("an e-mail to this address is on its way; ask again in an hour")
            raise Rejected("limit", message, wait=round(MAIL_AGAIN))
        url = f"{self.means.site}/notices#confirm={self._signer.dumps(['confirm', id_])}"
        now = self._host.now
        asked = words.confirmation(id_of("confirm", id_, now), url, who.name, now, spoken())
        return await self._add(who, "mail", address, id_, "new", asked)

    async def _add(
        self, who: Who, way: str, address: str, id_: str, state: str = "on",
        first: Message | None = None,
    ) -> Target:  # fmt: skip
        others = [target for target in await self.targets(who.identity) if target.id != id_]
        if len(others) >= MOST_TARGETS:
            message = _("you are reached at {count} places already; remove one first")
            raise Rejected("limit", message.format(count=len(others)))
        target = Target(id_, who.identity, way, address, state, "", self._host.now)
        await self._queue.add_target(target, first)
        if await self._queue.wishes(who.identity) is None:
            await self._queue.set_wishes(who.identity, Wishes(language=spoken()))
        if state == "on":
            self._people.add(who.identity)
        return target

    async def remove(self, identity: Identity, target: str) -> None:
        """Reach somebody there no longer."""
        if not await self._queue.remove_target(target, identity):
            raise Rejected("gone", _("there is no such place any more"))
        self._people = await self._queue.people()

    async def confirm(self, token: str) -> None:
        """An address is right: its owner has followed the link."""
        self.require("mail")
        identity = await self._queue.set_state(self._read(token, "confirm"), "on")
        if identity is None:
            raise Rejected("gone", _("this address was removed meanwhile; enter it once more"))
        self._people.add(identity)

    async def stop(self, token: str) -> None:
        """No more mails to an address. Idempotent."""
        self.require("mail")
        await self._queue.remove_target(self._read(token, "stop"))

    def _stop(self, target: str) -> str:
        return f"{self.means.site}/api/notices/stop/{self._signer.dumps(['stop', target])}"

    def _read(self, token: str, purpose: str) -> str:
        try:
            age = CONFIRM_SECONDS if purpose == "confirm" else None
            meant, target = self._signer.loads(token, max_age=age)
            if meant != purpose:
                raise ValueError
        except (BadSignature, ValueError, TypeError):
            raise Rejected("gone", _("this link is too old, or not whole")) from None
        return str(target)

    # -- what others tell -------------------------------------------------------------------------

    async def test(self, identity: Identity) -> None:
        """Tell somebody that notices arrive."""
        now = self._host.now
        await self._queue.add([Call(id_of("test", identity, now), identity, "test", "", now, now)])

    async def daily(self, day: str) -> int:
        """Tell everybody who wants to know of a day's deals: once, however often it is called.

        Returns how many people can be reached.
        """
        now = self._host.now
        body = msgspec.json.encode({"path": DAILY}).decode()
        people = await self._queue.people() if self.means.ways else set[Identity]()
        await self._queue.add(
            Call(id_of("daily", day, identity), identity, "daily", "", now, now, body)
            for identity in sorted(people)
        )
        return len(people)

    async def invite(self, identity: Identity, table: str, inviter: Who) -> None:
        """Tell somebody that a person who sits at a table invites them there."""
        if identity in self._people:
            now = self._host.now
            id_ = id_of("invitation", table, identity, 0)
            said = {"name": inviter.name, "inviter": inviter.identity, "by": "hand"}
            body = msgspec.json.encode(said).decode()
            call = Call(id_, identity, "invitation", table, now, now + what.GRACE, body)
            await self._queue.add([call], await self._store.shard_of(table))
