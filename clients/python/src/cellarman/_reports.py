from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Problem:
    """Something that a person should know."""

    code: str
    """An error code of ingest, or ``no_response``, ``unexpected_response``, ``dropped``, ``broken_file``, ``spool_failed``."""
    message: str
    at: str
    """ISO 8601."""


@dataclass(frozen=True)
class RejectedReading:
    reading: dict[str, Any]
    code: str
    """An error code of ingest."""
    error: str


@dataclass(frozen=True)
class Status:
    waiting: int
    """Readings in the spool."""
    bytes: int
    oldest_at: str | None
    """When the oldest one was put, ISO 8601."""
    sent: int
    """Acknowledged by ingest since the spool was created; ``rejected`` and ``dropped`` likewise."""
    rejected: int
    dropped: int
    set_aside: int
    """Rejected readings that are kept."""
    overflowed: int
    """Readings that ``put`` did not keep because the spool was full, since the client was opened."""
    broken_files: int
    state: str
    """``idle``, ``sending``, ``waiting`` for the next attempt, or ``blocked``: the same after a response such as 401."""
    last_success_at: str | None
    last_error: Problem | None
    clock_offset_ms: int | None
    """Time of ingest minus time of this machine."""
