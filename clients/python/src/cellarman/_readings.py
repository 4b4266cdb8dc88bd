from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Mapping
from datetime import datetime, timezone
from functools import lru_cache
from typing import Callable, TypedDict

from ._errors import ClientError


class _Required(TypedDict):
    rack: str
    keg: str
    value: int | float


class Reading(_Required, total=False):
    cellar: str
    """Default: the cellar of the client."""
    timestamp: str | datetime
    """UTC, ``2026-11-21T06:30:00.123456789Z``, or a datetime with a time zone. Default: the time of ``put``."""


_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z", re.ASCII)
_encode = json.JSONEncoder(ensure_ascii=False).encode
# No clock that was ever set is before this client was written.
_EARLIEST_US = 1_735_689_600_000_000
_LONGEST_STEP_BACK_US = 1_000_000


class Stamps:
    """Timestamps with microseconds. They increase strictly, unless the clock is set back by more than a second."""

    def __init__(self, now_us: Callable[[], int]) -> None:
        self._now_us = now_us
        self._last = 0
        self._second: tuple[int, str] = (-1, "")

    def next(self) -> str:
        now = self._now_us()
        if now < _EARLIEST_US:
            raise ClientError("clock_not_set", "the clock was never set: set it, or give a timestamp")
        self._last = now if self._last - now >= _LONGEST_STEP_BACK_US else max(now, self._last + 1)
        second, micros = divmod(self._last, 1_000_000)
        if second != self._second[0]:
            self._second = (second, time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second)))
        return f"{self._second[1]}.{micros:06d}Z"


def body_of(reading: Mapping[str, object], cellar: str | None, stamps: Stamps) -> str:
    """Returns the JSON that is stored and sent.

    Only what is certainly wrong is rejected here, so that a new rule of ingest needs no new client.
    """
    value = reading.get("value")
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not _is_finite(value):
        raise _invalid('"value" must be a finite int or float')
    # The repr of a subclass may be anything, such as np.float64(1.5).
    number = float.__repr__(value) if isinstance(value, float) else int.__repr__(value)
    timestamp = reading.get("timestamp")
    names = (reading.get("cellar", cellar), reading.get("rack"), reading.get("keg"))
    owner, rack, keg = (_quoted(name, text) for name, text in zip(("cellar", "rack", "keg"), names))
    at = stamps.next() if timestamp is None else _timestamp(timestamp)
    return f'{{"cellar":{owner},"rack":{rack},"keg":{keg},"value":{number},"timestamp":"{at}"}}'


def _is_finite(value: int | float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _quoted(name: str, text: object) -> str:
    if not isinstance(text, str) or text == "":
        raise _invalid(f'"{name}" must be a string that is not empty')
    try:
        return _json_of(text)
    except UnicodeEncodeError:
        raise _invalid(f'"{name}" has an unpaired surrogate') from None


# The names of a program repeat.
@lru_cache(4096)
def _json_of(text: str) -> str:
    quoted = _encode(text)
    quoted.encode()
    return quoted


def _timestamp(timestamp: object) -> str:
    if isinstance(timestamp, str) and _TIMESTAMP.fullmatch(timestamp):
        return timestamp
    if isinstance(timestamp, datetime) and timestamp.tzinfo is not None:
        return timestamp.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    raise _invalid('"timestamp" must be like 2026-11-21T06:30:00.123Z, or a datetime with a time zone')


def _invalid(message: str) -> ClientError:
    return ClientError("invalid_reading", message)
