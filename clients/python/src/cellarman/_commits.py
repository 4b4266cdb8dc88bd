from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Callable

from ._errors import ClientError
from ._lock import FairLock

# A larger group is hardly cheaper, and the first put of it would wait longer.
_MOST_READINGS = 500


class _Put:
    def __init__(self, bodies: Sequence[str], is_backfill: bool) -> None:
        self.bodies = bodies
        self.is_backfill = is_backfill
        self.is_done = False
        self.error: BaseException | None = None


class Commits:
    """Groups puts of threads, because a commit costs an ``fsync`` whatever its size.

    The thread that gets the lock first commits for those that wait for it.
    """

    def __init__(
        self, lock: FairLock, commit: Callable[[list[tuple[Sequence[str], bool]]], list[bool]], group_seconds: float
    ) -> None:
        self._lock = lock
        self._commit = commit
        self._group_seconds = group_seconds
        self._mutex = threading.Lock()
        self._queue: list[_Put] = []
        self._is_closed = False

    def add(self, bodies: Sequence[str], is_backfill: bool) -> None:
        """Returns when the readings are on disk."""
        put = _Put(bodies, is_backfill)
        with self._mutex:
            if self._is_closed:
                raise ClientError("closed", "the client is closed")
            self._queue.append(put)
        if self._group_seconds > 0:
            time.sleep(self._group_seconds)
        with self._lock:
            while not put.is_done:
                self._commit_next()
        if put.error is not None:
            raise put.error

    def close(self) -> None:
        """Commits what was put, and rejects later puts."""
        with self._mutex:
            self._is_closed = True
        with self._lock:
            while self._queue:
                self._commit_next()

    def _commit_next(self) -> None:
        puts: list[_Put] = []
        readings = 0
        with self._mutex:
            while self._queue and readings < _MOST_READINGS:
                puts.append(self._queue.pop(0))
                readings += len(puts[-1].bodies)
        try:
            stored = self._commit([(put.bodies, put.is_backfill) for put in puts])
            for put, is_stored in zip(puts, stored):
                put.error = None if is_stored else ClientError("spool_full", "the spool is full")
        except BaseException as error:
            is_interrupted = not isinstance(error, Exception)
            for put in puts:
                put.error = ClientError("spool_failed", "interrupted") if is_interrupted else error
            if is_interrupted:
                raise
        finally:
            for put in puts:
                put.is_done = True
