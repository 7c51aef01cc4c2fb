"""Addresses that people name: none of them leads into the host's own network."""

import asyncio

import pytest

from benchmarks.receivers import Receivers
from droptable.core.errors import OptionError
from droptable.notices.mail import Mail, Server
from droptable.notices.mail import check as check_mail
from droptable.notices.reach import Failed, Gone, Place, Reach, judge
from droptable.notices.webhook import content, form_of
from droptable.notices.words import Message
from droptable.tables.rejected import Rejected

INNER = (
    "https://127.0.0.1/", "https://localhost/", "https://[::1]/", "https://10.1.2.3/",
    "https://169.254.169.254/latest/meta-data", "https://192.168.0.1:8443/", "https://0.0.0.0/",
    "https://[::ffff:127.0.0.1]/", "https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/",
    "https://2130706433/", "https://0x7f.1/", "https://100.64.0.1/", "https://[fe80::1]/",
    "https://224.0.0.1/", "https://[fd00::1]/",
)  # fmt: skip
BROKEN = ("", "ftp://example.org/", "https://", "https://a b/", "https://user:pw@1.1.1.1/",
          "https://1.1.1.1:99999/", "https://1.1.1.1/\r\nX: y", "https://[1.1.1.1/",
          "https://1.1.1.1/" + 1000 * "x", "javascript:alert(1)")  # fmt: skip


def place(url, networks=""):
    return asyncio.run(Reach(networks).place(url))


@pytest.mark.parametrize("url", INNER)
def test_inner_addresses_are_refused(url):
    """However an inner address is written, it is refused with the reason."""
    with pytest.raises(Rejected, match="not a public address"):
        place(url)


@pytest.mark.parametrize("url", BROKEN)
def test_what_is_no_address_is_refused(url):
    """The refusal says what an address looks like; nothing slips into a request's head."""
    with pytest.raises(Rejected, match="not an address such as"):
        place(url)


def test_public_addresses_need_tls():
    """https to public addresses; anything that the host has named, by http as well."""
    assert place("https://1.1.1.1/x?y=1") == Place("https", "1.1.1.1", 443, "/x?y=1", "1.1.1.1")
    with pytest.raises(Rejected, match="https://"):
        place("http://1.1.1.1/")
    inner = place("http://localhost:8080/x", "127.0.0.0/8 ::1")
    assert inner.address in ("127.0.0.1", "::1") and inner.origin == "http://localhost:8080"
    with pytest.raises(OptionError, match=r"'home' is not a network"):
        Reach("home")


def test_answers_are_bounded():
    """Redirects are not followed, a huge answer is not read, silence ends, a dead end is told."""
    with Receivers() as receivers:
        reach = Reach("127.0.0.0/8")

        async def post(who, status):
            receivers.answers[f"/hook/{who}"] = status
            found = await reach.place(receivers.hook(who))
            judge(await reach.post(found, {"Idempotency-Key": "id"}, b"{}"))

        asyncio.run(post("huge", 299))
        with pytest.raises(Failed, match="302: redirects are not followed"):
            asyncio.run(post("redirected", 302))
        with pytest.raises(Gone, match="410"):
            asyncio.run(post("gone", 410))
        with pytest.raises(Failed, match="500"):
            asyncio.run(post("broken", 500))
        assert "/hook/elsewhere" not in receivers.asked and len(receivers.asked) == 4
        closed = Place("http", "127.0.0.1", 1, "/", "127.0.0.1")
        with pytest.raises(Failed, match="no proper answer"):
            asyncio.run(reach.post(closed, {}, b""))


def test_mail_addresses_and_servers():
    """What is no address is named; a bad SMTP setting is refused without its password."""
    assert check_mail(" anna@example.org ") == "anna@example.org"
    for wrong in ("anna", "a@b", "a b@example.org", "a@example.org\nBcc: x@y.zz", "@example.org"):
        with pytest.raises(Rejected, match="not an e-mail address"):
            check_mail(wrong)
    with pytest.raises(OptionError) as refused:
        Server.of("imap://user:secret@host")
    assert "secret" not in str(refused.value)
    assert Server.of("smtps://u:p%40w@mail.example.org").password == "p@w"


MESSAGE = Message("id", "turn", "Your turn", "Drop., with @everyone <!channel> **x**",
                  "https://games.example.org/t/x", 0.0, "en")  # fmt: skip


def test_names_ping_nobody():
    """A player who is called @everyone wakes nobody up at Discord or Slack."""
    discord, slack = content(MESSAGE, "discord"), content(MESSAGE, "slack")
    assert discord["allowed_mentions"] == {"parse": []} and r"\*\*x\*\*" in discord["content"]
    assert "<!channel>" not in slack["text"] and "&lt;!channel&gt;" in slack["text"]
    assert form_of("https://discord.com/api/webhooks/1/x") == "discord"
    assert form_of("https://hooks.slack.com/services/x") == "slack"
    assert form_of("https://example.org/discord.com") == "json"


def test_the_same_mail_twice_is_the_same_mail():
    """Sent again, a mail has the same Message-ID and date, and the way out in one click."""
    mail = Mail(Server.of("smtp://localhost"), "host@example.org", "https://games.example.org")
    first, second = (mail.compose("a@example.org", MESSAGE, "https://stop") for _ in range(2))
    assert str(first) == str(second)
    assert first["Message-ID"] == "<id@games.example.org>"
    assert first["List-Unsubscribe"] == "<https://stop>"
    assert first["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
