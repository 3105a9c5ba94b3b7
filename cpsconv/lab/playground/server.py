"""The server of the playground: on the local machine alone, for requests that know its secret.

Each connection is served by a child process with limits, which ends when the browser closes the connection: that is how
a run is stopped. The server itself runs no program, and keeps no state.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import socket
import tempfile
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from mimetypes import guess_type
from socketserver import ForkingMixIn
from tempfile import TemporaryDirectory
from typing import Any

from cpsconv.core.source import DiagnosticError, error
from cpsconv.engines import processes
from cpsconv.lab.playground.engine import Engine

HOST = "127.0.0.1"
MAX_BODY = 1_000_000  # bytes of a request
MAX_SECONDS = 20.0  # of processor time for an answer; the page stops earlier
MAX_DATA = 2 << 30  # bytes

_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Server(ForkingMixIn, HTTPServer):
    """The server of some files, by name, and of an engine. Its `address` contains the secret."""

    block_on_close = False
    allow_reuse_address = True

    def __init__(self, files: dict[str, bytes], answer: Engine, port: int) -> None:
        self.folder = TemporaryDirectory(prefix="cpsconv")  # first, since a failure to start closes the server
        super().__init__((HOST, port), _Handler)
        self.files = files
        self.answer = answer
        self.hosts = {f"{name}:{self.server_port}" for name in (HOST, "localhost")}
        self.secret = secrets.token_urlsafe(16)
        self.address = f"http://{HOST}:{self.server_port}/{self.secret}/"

    def server_close(self) -> None:
        """Close the server, and remove what processes that were ended have left."""
        super().server_close()
        self.folder.cleanup()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a connection that broke."""


class _Handler(BaseHTTPRequestHandler):
    server: Server
    timeout = 10  # seconds for the request to arrive

    def do_GET(self) -> None:
        """Send a file of the page."""
        if (name := self._name()) is None:
            return
        if name not in self.server.files:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        kind = "text/javascript" if name.endswith(".js") else guess_type(name)[0] or "application/octet-stream"
        self._send(self.server.files[name], kind)

    def do_POST(self) -> None:
        """Answer a request."""
        if (name := self._name()) is None:
            return
        length = self.headers.get("Content-Length", "")
        if name != "answer":
            self.send_error(HTTPStatus.NOT_FOUND)
        elif self.headers.get_content_type() != "application/json":
            self.send_error(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        elif not length.isdecimal():
            self.send_error(HTTPStatus.LENGTH_REQUIRED)
        elif int(length) > MAX_BODY:
            self.send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        else:
            self._answer(self.rfile.read(int(length)))

    def _name(self) -> str | None:
        """The name after the secret in the path. None for a request that is refused, which is answered."""
        secret, _, name = self.path.removeprefix("/").partition("/")
        origin = self.headers.get("Origin", "" if self.command == "POST" else None)
        if self.headers.get("Host") not in self.server.hosts:
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        elif origin is not None and origin.removeprefix("http://") not in self.server.hosts:
            self.send_error(HTTPStatus.FORBIDDEN)
        elif not hmac.compare_digest(secret.encode(), self.server.secret.encode()):
            self.send_error(HTTPStatus.NOT_FOUND)
        else:
            return name or "index.html"
        return None

    def _answer(self, body: bytes) -> None:
        tempfile.tempdir = self.server.folder.name  # in this process, which answers one request
        _limit_process()
        threading.Thread(target=_end_with, args=[self.connection], daemon=True).start()
        try:
            answer = self.server.answer(json.loads(body))
        except ValueError as failure:  # no JSON, or no request
            self.send_error(HTTPStatus.BAD_REQUEST, str(failure).splitlines()[0])
            return
        self._send(json.dumps(answer).encode(), "application/json")

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(HTTPStatus.OK)
        for name, value in (_HEADERS | {"Content-Type": f"{kind}; charset=utf-8"}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Print nothing."""


def _limit_process() -> None:
    """Limit the time and the memory of this process."""
    import resource  # late: Windows does not have it

    processes.restore_interrupts()
    processes.limit_time(MAX_SECONDS)
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_DATA if hard < 0 else min(MAX_DATA, hard), hard))


def _end_with(connection: socket.socket) -> None:
    """End this process when the browser closes the connection, which sends nothing after its request."""
    try:
        connection.settimeout(None)
        connection.recv(1, socket.MSG_PEEK)
    finally:
        os._exit(0)


def serve(files: dict[str, bytes], answer: Engine, port: int) -> Server:
    """The server on a port of the local machine, or on a free one if `port` is 0; `serve_forever` starts it.

    Raises `DiagnosticError` if the port cannot be used.
    """
    try:
        return Server(files, answer, port)
    except OSError as failure:
        help = "choose another one with --port, or 0 for a free one"
        raise DiagnosticError([error(f"port {port}: {failure.strerror}", help=help, rule="tool")]) from None
