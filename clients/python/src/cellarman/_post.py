from __future__ import annotations

import http.client
import json
import selectors
import socket
import threading
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from ._compress import COMPRESS
from ._options import Options

# Smaller bodies fit into one packet anyway.
_LEAST_COMPRESSED_BYTES = 1024
# 10,000 errors have about 2 MiB.
_MOST_RESPONSE_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True)
class Response:
    status: int
    """0: none."""
    body: dict[str, Any] | None = None
    """None: it is not a JSON object, so it does not come from ingest."""
    headers: dict[str, str] = field(default_factory=dict)
    """Names in lower case."""
    reason: str = ""
    """Why there is no response."""


class Poster:
    """Posts over one connection that is kept open. Redirects, which could carry the key away, are not followed."""

    def __init__(self, options: Options, base: str, path: str) -> None:
        url = urlsplit(base)
        self._options = options
        self._socket: socket.socket | None = None
        self._path = url.path.rstrip("/") + path
        timeout = options.timeout_ms / 1000
        if url.scheme == "https":
            # The default context verifies the certificate and the name.
            self._connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                url.hostname or "", url.port, timeout=timeout, context=options.ssl_context
            )
        else:
            self._connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=timeout)

    def post(self, bodies: list[str], api_key: str) -> Response:
        """Posts readings as NDJSON."""
        body = ("\n".join(bodies) + "\n").encode()
        headers = {"Content-Type": "application/x-ndjson", "X-API-Key": api_key}
        if self._options.compression != "none" and len(body) >= _LEAST_COMPRESSED_BYTES:
            body = COMPRESS[self._options.compression](body)
            headers["Content-Encoding"] = self._options.compression
        return self.exchange(body, headers)

    def exchange(self, body: bytes, headers: dict[str, str]) -> Response:
        """Never raises: without a response, the status is 0."""
        try:
            return self._exchange(body, {"User-Agent": "cellarman-client-python", **headers})
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            return Response(0, reason=str(error) or type(error).__name__)

    def close(self) -> None:
        self._connection.close()

    def abort(self) -> None:
        """Ends the request in flight, from another thread."""
        try:
            if self._socket is not None:
                # Not that of SSLSocket, which would make the other thread read plain text.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
        except OSError:
            # It has ended already.
            pass

    def _exchange(self, body: bytes, headers: dict[str, str]) -> Response:
        if self._connection.sock is not None and _has_ended(self._connection.sock):
            self._connection.close()
        if self._connection.sock is None:
            self._connection.connect()
        self._socket = self._connection.sock
        # The timeout of a socket starts again with each byte.
        timer = threading.Timer(self._options.timeout_ms / 1000, self.abort)
        timer.daemon = True
        timer.start()
        try:
            self._connection.request("POST", self._path, body, headers)
            response = self._connection.getresponse()
            text = response.read(_MOST_RESPONSE_BYTES)
        finally:
            timer.cancel()
        if not response.isclosed():
            self._connection.close()
        lower = {name.lower(): value for name, value in response.getheaders()}
        return Response(response.status, _parsed(text), lower)


def _has_ended(connected: socket.socket) -> bool:
    """Between requests, a server has nothing to send but the end of the connection."""
    with selectors.DefaultSelector() as selector:
        selector.register(connected, selectors.EVENT_READ)
        return bool(selector.select(0))


def _parsed(text: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
