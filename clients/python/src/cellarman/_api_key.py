from __future__ import annotations

import json
import os
import secrets

from ._options import Options
from ._post import Poster, Response


class ApiKey:
    """The API key: that of the options, or one that is claimed and kept beside the spool, in a file ``{spool}.key``.

    The file is the same in all clients. Another rack gets another key; the key of this rack stays, whatever the claim code.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._path = f"{options.spool}.key"
        self._file: dict[str, str] = {}
        self._poster: Poster | None = None
        self.current: str | None = options.api_key
        """None until it is claimed."""
        if options.api_key is None:
            self._poster = Poster(options, options.claim_url or options.url, "/api/v1/claims")
            self._file = _read(self._path)
            if self._file.get("rack") != options.rack:
                self._file = {}
            self.current = self._file.get("apiKey")

    def claim(self) -> Response:
        """Claims a key once. Raises OSError if the file cannot be written."""
        assert self._poster is not None
        if "deviceSecret" not in self._file:
            made = {"rack": self._options.rack or "", "deviceSecret": secrets.token_urlsafe(32)}
            # On disk before the request: whenever the process is killed after it, the next claim gets the same key.
            _write(self._path, made)
            self._file = made
        body = {
            "claimCode": self._options.claim_code,
            "rack": self._options.rack,
            "deviceSecret": self._file["deviceSecret"],
        }
        response = self._poster.exchange(json.dumps(body).encode(), {"Content-Type": "application/json"})
        claimed = response.body.get("apiKey") if response.body is not None and response.status < 300 else None
        if isinstance(claimed, str) and claimed != "":
            complete = {**self._file, "apiKey": claimed}
            _write(self._path, complete)
            self._file = complete
            self.current = claimed
            self._poster.close()
        return response

    def abort(self) -> None:
        """Ends the claim in flight, from another thread."""
        if self._poster is not None:
            self._poster.abort()


def _read(path: str) -> dict[str, str]:
    """Returns nothing when there is no file, or a broken one: a new secret is made then."""
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict) or not isinstance(found.get("deviceSecret"), str):
        return {}
    return {name: value for name, value in found.items() if isinstance(value, str)}


def _write(path: str, content: dict[str, str]) -> None:
    """Replaces the file as a whole: after a power loss, it is the old one or the new one."""
    part = f"{path}.part"
    # Of a part that was left by a crash, the mode would stay.
    if os.path.exists(part):
        os.remove(part)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
    if os.name == "posix":
        folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
