from __future__ import annotations

import json
import logging
import os
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Callable

from ._commits import Commits
from ._errors import ClientError
from ._lock import FairLock
from ._options import Options
from ._readings import Reading, Stamps, body_of
from ._reports import Problem, RejectedReading, Status
from ._sender import Sender, iso
from ._spool import Spool

_logger = logging.getLogger("cellarman")


class Client:
    """Keeps readings on disk until ingest has stored them. All methods may be called by any thread.

    ``spool`` is the path of an SQLite file, which one client at a time can open. Options in docs/clients.md.
    """

    def __init__(
        self,
        url: str,
        api_key: str | None,
        spool: str | os.PathLike[str],
        *,
        cellar: str | None = None,
        max_bytes: int = 256 * 1024 * 1024,
        on_full: str = "reject",
        order: str = "put",
        fresh_ms: float = 60_000,
        backlog_share: float = 0.5,
        batch_readings: int = 1000,
        batch_bytes: int = 1024 * 1024,
        group_ms: float = 0,
        linger_ms: float = 100,
        compression: str = "gzip",
        timeout_ms: float = 15_000,
        retry_min_ms: float = 1000,
        retry_max_ms: float = 60_000,
        blocked_ms: float = 60_000,
        ssl_context: ssl.SSLContext | None = None,
        claim_code: str | None = None,
        rack: str | None = None,
        claim_url: str | None = None,
        on_problem: Callable[[Problem], None] | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Opens the spool and begins to send what is in it.

        Without ``api_key``, one is claimed with ``claim_code`` for ``rack``, and stored beside the spool.

        ``on_problem`` is called by any thread when something needs attention; by default, it is logged. ``now`` returns
        the seconds since 1970 for readings without a timestamp.

        Raises ClientError: ``invalid_options``, ``spool_locked``, ``spool_failed``.
        """
        options = Options(
            url,
            api_key,
            os.fspath(spool),
            max_bytes,
            on_full,
            order,
            fresh_ms,
            backlog_share,
            batch_readings,
            batch_bytes,
            group_ms,
            linger_ms,
            compression,
            timeout_ms,
            retry_min_ms,
            retry_max_ms,
            blocked_ms,
            ssl_context,
            claim_code,
            rack,
            claim_url,
        )
        self._cellar = cellar
        self._on_problem = on_problem
        # time.time has 53 bits, which is not enough for microseconds that are exact, but for increasing ones.
        self._stamps = Stamps((lambda: time.time_ns() // 1000) if now is time.time else (lambda: round(now() * 1e6)))
        self._stamp_lock = threading.Lock()
        self._overflowed = 0
        self._lock = FairLock()
        self._spool = Spool(options.spool, max_bytes, on_full == "drop-oldest", self._report_broken)
        self._commits = Commits(self._lock, self._add, group_ms / 1000)
        self._sender = Sender(self._spool, self._lock, options, self._report)
        self._close_lock = threading.Lock()
        self._waiting_at_close: int | None = None

    def put(self, readings: Reading | Sequence[Reading], *, backfill: bool = False) -> None:
        """Returns when the readings are on disk: from then on they are sent even if the process is killed or the power fails.

        A list is stored as a whole or not at all. Old readings, such as an import, are ``backfill``: they never delay
        others, and use only a share of the rate limit. Does not wait for ingest.

        Raises ClientError: ``invalid_reading``, ``clock_not_set``, ``spool_full``, ``spool_failed``, ``closed``.
        """
        readings = [readings] if isinstance(readings, Mapping) else readings
        with self._stamp_lock:
            bodies = [body_of(reading, self._cellar, self._stamps) for reading in readings]
        if bodies:
            self._commits.add(bodies, backfill)
            self._sender.notify()

    def status(self) -> Status:
        with self._lock:
            self._check_open()
            spool, sender = self._spool, self._sender
            oldest_at = spool.oldest_at()
            return Status(
                **spool.counters,
                oldest_at=None if oldest_at is None else iso(oldest_at / 1000),
                set_aside=spool.count_set_aside(),
                overflowed=self._overflowed,
                broken_files=spool.broken_files,
                state=sender.state,
                last_success_at=sender.last_success_at,
                last_error=sender.last_error,
                clock_offset_ms=sender.clock_offset_ms,
            )

    def set_aside(self) -> list[RejectedReading]:
        """Returns the readings that ingest rejected for good, oldest first: at most the last 10,000."""
        with self._lock:
            self._check_open()
            return [RejectedReading(json.loads(body), code, error) for body, code, error in self._spool.set_aside()]

    def requeue(self) -> int:
        """Sends the readings again that were set aside, for example after the key got another rack. Returns their number."""
        with self._lock:
            self._check_open()
            count = self._spool.requeue()
        self._sender.notify()
        return count

    def close(self, deadline_ms: float = 5000) -> int:
        """Sends what waits until the deadline. Returns how many readings still wait: they are sent after the next start."""
        with self._close_lock:
            if self._waiting_at_close is None:
                self._commits.close()
                self._sender.close(deadline_ms / 1000)
                with self._lock:
                    self._waiting_at_close = self._spool.counters["waiting"]
                    self._spool.close()
            return self._waiting_at_close

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._waiting_at_close is not None:
            raise ClientError("closed", "the client is closed")

    def _add(self, lists: list[tuple[Sequence[str], bool]]) -> list[bool]:
        dropped = self._spool.counters["dropped"]
        stored = self._spool.add(lists)
        self._overflowed += sum(len(bodies) for (bodies, _), is_stored in zip(lists, stored) if not is_stored)
        dropped = self._spool.counters["dropped"] - dropped
        if dropped > 0:
            self._report(Problem("dropped", f"{dropped} readings were dropped: the spool is full", iso(time.time())))
        return stored

    def _report_broken(self, error: BaseException) -> None:
        self._report(Problem("broken_file", f"the spool is broken and was renamed: {error}", iso(time.time())))

    def _report(self, problem: Problem) -> None:
        if self._on_problem is None:
            _logger.warning("%s: %s", problem.code, problem.message)
            return
        try:
            self._on_problem(problem)
        except Exception:
            _logger.exception("on_problem failed for %s: %s", problem.code, problem.message)
