"""Where notices arrive, for benchmarks and tests: a push service that decrypts what it gets, a
webhook receiver and an SMTP server, all on loopback and independent of the server's own code."""

import base64
import email
import email.policy
import json
import os
import re
import threading
import time
from collections import namedtuple
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from benchmarks.serving import free_port

Arrival = namedtuple("Arrival", "way who id title text url raw at")


class Browser:
    """A browser's subscription, and the keys that only the browser has (RFC 8291)."""

    def __init__(self, endpoint):
        self._private = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)
        keys = {"p256dh": _encoded(_point(self._private)), "auth": _encoded(self._auth)}
        self.subscription = {"endpoint": endpoint, "keys": keys}

    def decrypt(self, body):
        """The text of a message in `aes128gcm` (RFC 8188), of one record."""
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self._private.exchange(ec.ECDH(), public)
        info = b"WebPush: info\0" + _point(self._private) + sender
        key = _derive(self._auth, shared, info, 32)
        secret = _derive(salt, key, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derive(salt, key, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(secret).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert padded.endswith(b"\2"), "not the last record"
        return padded[:-1]


def signed_claims(authorization, audience):
    """The claims of a VAPID header and the key that signed them (RFC 8292); checked."""
    fields = dict(re.findall(r"([tk])=([\w.-]+)", authorization.removeprefix("vapid ")))
    head, claims, signature = fields["t"].split(".")
    pair = _decoded(signature)
    der = encode_dss_signature(int.from_bytes(pair[:32]), int.from_bytes(pair[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(fields["k"]))
    public.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    assert json.loads(_decoded(head))["alg"] == "ES256"
    told = json.loads(_decoded(claims))
    assert told["aud"] == audience and time.time() < told["exp"] <= time.time() + 86_400
    assert told["sub"].startswith(("mailto:", "https:"))
    return told, fields["k"]


class Receivers:
    """Use as a context. `arrivals` is all that was accepted, in order; `down` are ways that fail.

    `answers` are statuses to give instead of accepting, by path.
    """

    def __init__(self):
        self.arrivals, self.down, self.answers, self.refused_mail = [], set(), {}, set()
        self.asked = []  # paths, whatever came of it
        self.browsers = {}
        self.before_answer = {}  # what is done once, by path or for "any", after it was accepted
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._http.server_port}"
        self._smtp = Controller(self, hostname="127.0.0.1", port=free_port())
        self.smtp = f"smtp://127.0.0.1:{self._smtp.port}"

    def __enter__(self):
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()
        self._smtp.start()
        return self

    def __exit__(self, *_):
        self._smtp.stop()
        self._http.shutdown()
        self._http.server_close()

    def browser(self, who):
        """A new browser, as the server has to know it."""
        self.browsers[who] = Browser(f"{self.address}/push/{who}")
        return self.browsers[who].subscription

    def hook(self, who):
        """The address of somebody's webhook."""
        return f"{self.address}/hook/{who}"

    def of(self, who, way=None):
        """What has arrived for somebody."""
        return [a for a in list(self.arrivals) if a.who == who and way in (None, a.way)]

    def wait(self, fits, seconds=30.0):
        """Wait until something fits, and return it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := [arrival for arrival in list(self.arrivals) if fits(arrival)]:
                return found[0]
            time.sleep(0.02)
        raise AssertionError(f"it did not arrive; arrived: {[a[:4] for a in self.arrivals]}")

    # -- HTTP -------------------------------------------------------------------------------------

    def _handler(self):
        receivers = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with suppress(OSError):  # whoever asked may be dead, or tired of a huge answer
                    self._answer(receivers._take(self.path, self.headers, body))

            def _answer(self, status):
                self.send_response(status)
                if 300 <= status < 400:
                    self.send_header("Location", receivers.hook("elsewhere"))
                self.end_headers()
                self.wfile.flush()
                while status == 299:
                    self.wfile.write(b"x" * 65_536)

            def log_message(self, *_):
                pass

        return Handler

    def _take(self, path, headers, body):
        _empty, way, who = path.split("/")
        self.asked.append(path)
        way = {"push": "push", "hook": "webhook"}[way]
        if way in self.down:
            return 503
        if self.answers.get(path, 299) != 299:
            return self.answers[path]
        if way == "push":
            assert headers["Content-Encoding"] == "aes128gcm" and int(headers["TTL"]) > 0
            signed_claims(headers["Authorization"], self.address)
            text = self.browsers[who].decrypt(body).decode()
            told = json.loads(text)
            assert headers["Topic"] == told["id"] and len(told["id"]) <= 32
        else:
            text, told = body.decode(), json.loads(body)
            told = {"id": headers["Idempotency-Key"], "title": "", "text": "", "url": ""} | told
        raw = f"{headers}\n{text}"
        seen = (told["id"], told["title"], told["text"], told["url"])
        self.arrivals.append(Arrival(way, who, *seen, raw, time.time()))
        self.before_answer.pop(path, self.before_answer.pop("any", lambda: None))()
        return self.answers.get(path, 201)

    # -- SMTP -------------------------------------------------------------------------------------

    async def handle_RCPT(self, _server, _session, envelope, address, _options):  # noqa: N802
        """Accept a recipient, or say that there is none."""
        if "mail" in self.down:
            return "451 later"
        if address in self.refused_mail:
            return "550 nobody has this address"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server, _session, envelope):  # noqa: N802
        """Take a mail."""
        text = envelope.content.decode()
        mail = email.message_from_string(text, policy=email.policy.default)
        content = mail.get_content()
        url = next(iter(re.findall(r"https?://\S+", content)), "")
        id_ = mail["Message-ID"].strip("<>").partition("@")[0]
        who = envelope.rcpt_tos[0].partition("@")[0]
        self.arrivals.append(
            Arrival("mail", who, id_, mail["Subject"], content, url, text, time.time())
        )
        return "250 OK"


def _derive(salt, key, info, length):
    return HKDF(hashes.SHA256(), length, salt, info).derive(key)


def _point(private):
    return private.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


def _encoded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
