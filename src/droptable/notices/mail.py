"""E-mail by the host's SMTP server."""

from __future__ import annotations

import asyncio
import email.policy
import re
import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate
from urllib.parse import unquote, urlsplit

from droptable.core.errors import OptionError
from droptable.core.language import _, speaking
from droptable.notices.reach import Failed, Gone
from droptable.notices.words import Message
from droptable.tables.rejected import Rejected

SECONDS = 5.0  # for each step of a conversation
PORTS = {"smtp": 587, "smtps": 465}
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
LONGEST_ADDRESS = 254
# A link is not folded: programs that look for it would not find it.
LINES = email.policy.SMTP.clone(max_line_length=900)


@dataclass(frozen=True)
class Server:
    """The host's SMTP server: `smtp://user:password@host:587` (TLS if it offers it) or `smtps:`."""

    secure: bool
    host: str
    port: int
    user: str
    password: str

    @classmethod
    def of(cls, url: str) -> Server:
        """From a URL; `OptionError` without its password."""
        try:
            parts = urlsplit(url)
            port = parts.port or PORTS[parts.scheme]
            host = parts.hostname or ""
        except (ValueError, KeyError):
            host, port = "", 0
        if not host:
            expected = "smtp://user:password@host:587 or smtps://…"
            raise OptionError(f"DROPTABLE_SMTP is not an SMTP server; expected {expected}")
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        return cls(parts.scheme == "smtps", host, port, user, password)


def check(address: str) -> str:
    """An e-mail address; `Rejected` if it cannot be one."""
    address = address.strip()
    if len(address) > LONGEST_ADDRESS or not ADDRESS.fullmatch(address):
        message = _("{address} is not an e-mail address")
        raise Rejected("syntax", message.format(address=repr(address[:80])))
    return address


class Mail:
    """Sends mails that carry the same Message-ID when they are sent again."""

    def __init__(self, server: Server, sender: str, site: str) -> None:
        self._server = server
        self._sender = sender
        self._domain = urlsplit(site).hostname or "localhost"

    async def send(self, address: str, message: Message, stop: str) -> None:
        """Send a message; `stop` is where one click ends this. `Gone` if nobody has the address."""
        mail = self.compose(address, message, stop)
        await asyncio.to_thread(self._deliver, address, mail)

    def compose(self, address: str, message: Message, stop: str) -> EmailMessage:
        """A message as a mail."""
        mail = EmailMessage(LINES)
        mail["From"] = self._sender
        mail["To"] = address
        mail["Subject"] = message.title
        mail["Date"] = formatdate(message.at)
        mail["Message-ID"] = f"<{message.id}@{self._domain}>"
        mail["Auto-Submitted"] = "auto-generated"
        parts = [f"{part.title}: {part.text}\n{part.url}" for part in message.parts]
        lines = parts or [message.text, message.url]
        if message.kind != "confirm":
            mail["List-Unsubscribe"] = f"<{stop}>"
            mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
            with speaking(message.language):
                lines.append("-- \n" + _("No more e-mails: {url}").format(url=stop))
        mail.set_content("\n\n".join(lines) + "\n")
        return mail

    def _deliver(self, address: str, mail: EmailMessage) -> None:
        try:
            with self._connection() as smtp:
                smtp.send_message(mail, self._sender, [address])
        except smtplib.SMTPRecipientsRefused as error:
            code, reason = next(iter(error.recipients.values()))
            if 500 <= code < 600:
                raise Gone(
                    f"the mail server refused this address: {code} {_text(reason)}"
                ) from None
            raise Failed(f"the mail server answered {code}") from None
        except smtplib.SMTPResponseException as error:
            raise Failed(f"the mail server answered {error.smtp_code}") from None
        except (OSError, smtplib.SMTPException) as error:
            raise Failed(f"no mail server ({type(error).__name__})") from None

    def _connection(self) -> smtplib.SMTP:
        server, context = self._server, ssl.create_default_context()
        if server.secure:
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(
                server.host, server.port, timeout=SECONDS, context=context
            )
        else:
            smtp = smtplib.SMTP(server.host, server.port, timeout=SECONDS)
        try:
            smtp.ehlo()
            if not server.secure and smtp.has_extn("starttls"):
                smtp.starttls(context=context)
                smtp.ehlo()
            elif not server.secure and server.user:
                raise Failed("the mail server offers no TLS: no password is sent")
            if server.user:
                smtp.login(server.user, server.password)
        except BaseException:
            smtp.close()
            raise
        return smtp


def _text(reason: bytes | str) -> str:
    text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
    return " ".join(text.split())[:120]
