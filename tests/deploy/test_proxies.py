"""The proxies' configurations of deploy/, run for real: TLS, cookies, sockets, what is hidden."""

from __future__ import annotations

import random
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx
import pytest

from benchmarks.serving import free_port
from tests.packaging.declared import ROOT
from tests.web.conftest import GENEROUS, Running, run
from tests.web.people import Person, play_on

DEPLOY = ROOT / "deploy"
START_SECONDS = 30
NGINX = """
user root;
pid {folder}/nginx.pid;
error_log stderr;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a certificate of our own for localhost."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl (apt install openssl)")
    folder = tmp_path_factory.mktemp("certificate")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost",
         "-keyout", folder / "key.pem", "-out", folder / "fullchain.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    return folder


def nginx(folder: Path, site: str) -> list[str]:
    (folder / "site.conf").write_text(site)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder))
    return ["-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]


def caddy(folder: Path, site: str) -> list[str]:
    (folder / "Caddyfile").write_text(site)
    return ["run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


PROXIES = {"nginx": ("nginx.conf", nginx), "caddy": ("Caddyfile", caddy)}


@contextmanager
def proxy(kind: str, folder: Path, certificate: Path, upstream: int) -> Iterator[str]:
    """Run a proxy with its shipped configuration; only names, ports and paths are replaced."""
    program = shutil.which(kind) or shutil.which(kind, path="/usr/sbin")
    if program is None:
        pytest.skip(f"there is no {kind} (apt install {kind})")
    port, plain = free_port(), free_port()
    file, arguments = PROXIES[kind]
    site = (DEPLOY / file).read_text("utf-8")
    for shipped, here in (
        ("127.0.0.1:8000", f"127.0.0.1:{upstream}"),
        ("/etc/ssl/games.example", str(certificate)),
        ("listen 443", f"listen 127.0.0.1:{port}"),
        ("listen 80", f"listen 127.0.0.1:{plain}"),
        ("games.example {", f"https://localhost:{port} {{\n\tbind 127.0.0.1"),
        ("admin off", f"admin off\n\thttp_port {plain}"),
        ("server_name games.example", "server_name localhost"),
    ):
        site = site.replace(shipped, here)
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen([program, *arguments(folder, site)], stderr=log, env=home)
        try:
            wait_for(port, process, folder / "log")
            yield f"https://localhost:{port}"
        finally:
            process.terminate()
            process.wait(30)


def wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    raise RuntimeError(f"the proxy did not start: {log.read_text()}")


@pytest.fixture(scope="module", params=["", "/games"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Running, str]]:
    """A server, and the prefix below which it is."""
    file = tmp_path_factory.mktemp("proxied") / "tables.db"
    for running in run(replace(GENEROUS, database=str(file), prefix=request.param)):
        yield running, request.param


@pytest.mark.parametrize("kind", PROXIES)
def test_people_play_over_tls(
    kind: str,
    server: tuple[Running, str],
    certificate: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The cookie is Secure, pages' sockets are let in, and what is for operators is hidden."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "fullchain.pem"))
    running, prefix = server
    upstream = int(running.address.rpartition(":")[2])
    with proxy(kind, tmp_path, certificate, upstream) as origin:
        for path in ("/healthz", "/metrics", "/%6detrics", "/metrics/", "/readyz"):
            for below in {"", prefix}:
                hidden = httpx.get(f"{origin}{below}{path}")
                assert hidden.status_code == 404 and "droptable_" not in hidden.text, path
        assert httpx.get(f"{running.address}/healthz").status_code == 200
        with Person(f"{origin}{prefix}", "Ann") as ann:
            page = ann.http.get("/")
            assert page.status_code == 200 and f'<base href="{prefix}/">' in page.text
            assert "max-age" in page.headers["strict-transport-security"]
            assert [cookie.secure for cookie in ann.http.cookies.jar] == [True]
            socket = ann.sit(ann.create("number-drop", seats=["me"]), origin=origin)
            socket.receive()
            assert play_on([socket], random.Random(1), most=3) == 3
            large = ann.http.post("/api/replays", content=b"x" * 600_000)
            assert large.status_code in (413, 502)  # Caddy may see the server hang up first


class Echo(BaseHTTPRequestHandler):
    """Answers with the headers that it was sent."""

    def do_GET(self) -> None:
        body = str(self.headers).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("kind", PROXIES)
def test_forged_addresses_are_replaced(kind: str, certificate: Path, tmp_path: Path) -> None:
    """The server learns the client's address, scheme and host from the proxy, not the client."""
    trusting = ssl.create_default_context(cafile=str(certificate / "fullchain.pem"))
    with HTTPServer(("127.0.0.1", 0), Echo) as echo:
        thread = threading.Thread(target=echo.serve_forever)
        thread.start()
        try:
            with proxy(kind, tmp_path, certificate, echo.server_port) as origin:
                forged = {"For": "6.6.6.6", "Proto": "gopher", "Host": "evil.example"}
                headers = {f"X-Forwarded-{name}": value for name, value in forged.items()}
                sent = httpx.get(origin, headers=headers, verify=trusting).text
        finally:
            echo.shutdown()
            thread.join()
    pairs = (line.partition(": ") for line in sent.splitlines())
    lines = {name.lower(): value for name, _colon, value in pairs}
    assert lines["x-forwarded-for"].strip() == "127.0.0.1"
    assert lines["x-forwarded-proto"].strip() == "https"
    assert lines["x-forwarded-host"].strip() == origin.removeprefix("https://")
