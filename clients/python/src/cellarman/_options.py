from __future__ import annotations

import math
import ssl
from dataclasses import dataclass, fields
from urllib.parse import urlsplit

from ._compress import COMPRESS
from ._errors import ClientError


@dataclass(frozen=True)
class Options:
    """See ``Client`` and docs/clients.md."""

    url: str
    api_key: str | None
    spool: str
    max_bytes: int
    on_full: str
    order: str
    fresh_ms: float
    backlog_share: float
    batch_readings: int
    batch_bytes: int
    group_ms: float
    linger_ms: float
    compression: str
    timeout_ms: float
    retry_min_ms: float
    retry_max_ms: float
    blocked_ms: float
    ssl_context: ssl.SSLContext | None
    claim_code: str | None
    rack: str | None
    claim_url: str | None

    def __post_init__(self) -> None:
        for name in ("url", "api_key", "spool"):
            if getattr(self, name) == "":
                raise _invalid(f"{name} is required")
        if (self.api_key is not None) == bool(self.claim_code and self.rack):
            raise _invalid("api_key, or claim_code and rack, are required")
        for url in (self.url, self.claim_url or self.url):
            if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
                raise _invalid("url and claim_url must begin with http:// or https://")
        if self.api_key is not None and not (self.api_key.isprintable() and self.api_key.isascii()):
            raise _invalid("api_key has characters that no key has")
        for name, allowed in _CHOICES.items():
            if getattr(self, name) not in allowed:
                raise _invalid(f"{name} must be one of {', '.join(allowed)}")
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, (int, float)) and not (math.isfinite(value) and value >= 0):
                raise _invalid(f"{field.name} must be a number that is not negative")
        if self.batch_readings < 1 or self.backlog_share == 0:
            raise _invalid("batch_readings and backlog_share must be above 0")


_CHOICES = {
    "on_full": ("reject", "drop-oldest"),
    "order": ("put", "fresh-first"),
    "compression": (*COMPRESS, "none"),
}


def _invalid(message: str) -> ClientError:
    return ClientError("invalid_options", message)
