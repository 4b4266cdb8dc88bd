from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Callable, NamedTuple, TypeVar

from ._database import BrokenRow, is_body, is_broken, is_full, open_database, replace_broken, spool_failed
from ._errors import ClientError

T = TypeVar("T")

# Backfill has numbers of its own below those of other readings. JavaScript's numbers have 53 bits.
_FIRST_BACKFILL_ID = -(2**52)
_MOST_SET_ASIDE = 10_000
_COUNTERS = ("waiting", "bytes", "sent", "rejected", "dropped")


@dataclass(frozen=True)
class Batch:
    """The readings of one request, in the order of their ids."""

    is_backlog: bool
    ids: list[int]
    bodies: list[str]
    first_at: int
    """When the first one was put, in milliseconds since 1970."""
    is_cut: bool
    """Whether more readings would be too many bytes."""


class Rejection(NamedTuple):
    code: str
    error: str


class Spool:
    """Readings on disk, in two lanes: ids up to the boundary are the backlog, those above it are fresh.

    Not safe for threads: the client has a lock.
    """

    def __init__(
        self, path: str, max_bytes: int, drops_oldest: bool, on_broken: Callable[[BaseException], None]
    ) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._drops_oldest = drops_oldest
        self._on_broken = on_broken
        self.broken_files = 0
        self._boundary = 0
        try:
            self._read_tables(open_database(path))
        except Exception as error:
            self._replace(error)

    def add(self, lists: Sequence[tuple[Sequence[str], bool]]) -> list[bool]:
        """Stores lists of bodies in one transaction; the flag means backfill. Returns for each whether it fits."""
        return self._commit(lambda: [self._add(bodies, is_backfill) for bodies, is_backfill in lists])

    def next(self, is_backlog: bool, readings: int, size: int) -> Batch | None:
        first, last = (_FIRST_BACKFILL_ID - 1, self._boundary) if is_backlog else (self._boundary, 2**53)
        query = "SELECT id, at, body FROM readings WHERE id > ? AND id <= ? ORDER BY id LIMIT ?"

        def read() -> Batch | None:
            ids: list[int] = []
            bodies: list[str] = []
            first_at = total = 0
            is_cut = False
            for number, at, body in self._db.execute(query, (first, last, readings)):
                if not is_body(body):
                    raise BrokenRow(f"row {number} is not a reading")
                total += len(body) + 1
                is_cut = total > size and bool(ids)
                if is_cut:
                    break
                if not ids:
                    first_at = at
                ids.append(number)
                bodies.append(body)
            return Batch(is_backlog, ids, bodies, first_at, is_cut) if ids else None

        return self._surviving(read)

    def settle(self, batch: Batch, kept: Collection[int], rejections: Mapping[int, Rejection]) -> None:
        """Removes a batch but the readings at the indexes of ``kept``, and sets those of ``rejections`` aside."""

        def work_on_all() -> None:
            ids = (batch.ids[0], batch.ids[-1])
            gone = self._db.execute("DELETE FROM readings WHERE id BETWEEN ? AND ?", ids).rowcount
            self.counters["waiting"] -= gone
            self.counters["sent"] += gone
            # The first ones may have been dropped while they were sent.
            self.counters["bytes"] -= sum(map(_size, batch.bodies[len(batch.bodies) - gone :]))

        def work_on_each() -> None:
            for index, (number, body) in enumerate(zip(batch.ids, batch.bodies)):
                if index in kept or self._db.execute("DELETE FROM readings WHERE id = ?", (number,)).rowcount == 0:
                    continue
                self.counters["waiting"] -= 1
                self.counters["bytes"] -= _size(body)
                rejection = rejections.get(index)
                self.counters["sent" if rejection is None else "rejected"] += 1
                if rejection is not None:
                    insert = "INSERT INTO set_aside (at, body, code, error) VALUES (?, ?, ?, ?)"
                    self._db.execute(insert, (_now_ms(), body, *rejection))
            if rejections:
                trim = "DELETE FROM set_aside WHERE id <= (SELECT max(id) FROM set_aside) - ?"
                self._db.execute(trim, (_MOST_SET_ASIDE,))

        self._commit(work_on_each if kept or rejections else work_on_all, is_durable=False)

    def raise_boundary(self) -> None:
        """Makes everything that waits the backlog."""
        self._boundary = self._next_fresh - 1

    def set_aside(self) -> list[tuple[str, str, str]]:
        query = "SELECT body, code, error FROM set_aside ORDER BY id"
        return self._surviving(lambda: self._db.execute(query).fetchall())

    def requeue(self) -> int:
        def work() -> int:
            bodies = [body for (body,) in self._db.execute("SELECT body FROM set_aside ORDER BY id")]
            self._insert(bodies, False)
            self._db.execute("DELETE FROM set_aside")
            return len(bodies)

        return self._commit(work)

    def count_set_aside(self) -> int:
        return self._surviving(lambda: int(self._one("SELECT count(*) FROM set_aside")))

    def oldest_at(self) -> int | None:
        query = "SELECT min(at) FROM (SELECT * FROM ({0} id <= 0 {1}) UNION ALL SELECT * FROM ({0} id > 0 {1}))".format(
            "SELECT at FROM readings WHERE", "ORDER BY id LIMIT 1"
        )
        return self._surviving(lambda: self._one(query))  # type: ignore[no-any-return]

    def close(self) -> None:
        self._db.close()

    def _read_tables(self, db: sqlite3.Connection) -> None:
        self._db = db
        stored = dict(db.execute("SELECT name, value FROM counters"))
        self.counters: dict[str, int] = {name: stored.get(name, 0) for name in _COUNTERS}
        self._next_fresh = int(self._one("SELECT coalesce(max(id), 0) + 1 FROM readings WHERE id > 0"))
        highest = self._one("SELECT max(id) FROM readings WHERE id <= 0")
        self._next_backfill = _FIRST_BACKFILL_ID if highest is None else highest + 1

    def _one(self, query: str) -> Any:
        return self._db.execute(query).fetchone()[0]

    def _add(self, bodies: Sequence[str], is_backfill: bool) -> bool:
        size = sum(map(_size, bodies))
        while self.counters["bytes"] + size > self._max_bytes:
            fits = self._drops_oldest and size <= self._max_bytes
            oldest = self._db.execute("SELECT id, body FROM readings ORDER BY id LIMIT 1").fetchone() if fits else None
            if oldest is None:
                return False
            self._db.execute("DELETE FROM readings WHERE id = ?", oldest[:1])
            self.counters["waiting"] -= 1
            self.counters["bytes"] -= _size(oldest[1])
            self.counters["dropped"] += 1
        self._insert(bodies, is_backfill)
        return True

    def _insert(self, bodies: Sequence[str], is_backfill: bool) -> None:
        first = self._next_backfill if is_backfill else self._next_fresh
        now = _now_ms()
        rows = ((first + index, now, body) for index, body in enumerate(bodies))
        self._db.executemany("INSERT INTO readings (id, at, body) VALUES (?, ?, ?)", rows)
        if is_backfill:
            self._next_backfill += len(bodies)
        else:
            self._next_fresh += len(bodies)
        self.counters["waiting"] += len(bodies)
        self.counters["bytes"] += sum(map(_size, bodies))

    def _commit(self, work: Callable[[], T], is_durable: bool = True) -> T:
        """A removal that a power failure undoes only means that readings are sent again: it needs no ``fsync``."""
        return self._surviving(lambda: self._commit_with_space(work, is_durable))

    def _commit_with_space(self, work: Callable[[], T], is_durable: bool) -> T:
        self._db.execute(f"PRAGMA synchronous = {'FULL' if is_durable else 'NORMAL'}")
        try:
            return self._commit_once(work)
        except sqlite3.Error as error:
            if not is_full(error):
                raise
            # The log may be what fills the disk. Without this, not even what was sent could be removed.
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            return self._commit_once(work)

    def _commit_once(self, work: Callable[[], T]) -> T:
        """Commits what ``work`` does, with its counters, or nothing of it."""
        before = (dict(self.counters), self._next_fresh, self._next_backfill)
        try:
            self._db.execute("BEGIN IMMEDIATE")
            result = work()
            changed = [(name, value) for name, value in self.counters.items() if value != before[0][name]]
            self._db.executemany("INSERT OR REPLACE INTO counters (name, value) VALUES (?, ?)", changed)
            self._db.execute("COMMIT")
            return result
        except BaseException:
            self.counters, self._next_fresh, self._next_backfill = before
            # SQLite has rolled back by itself after some errors.
            if self._db.in_transaction:
                self._db.rollback()
            raise

    def _surviving(self, work: Callable[[], T]) -> T:
        """Works with a new file when this one turns out to be broken."""
        try:
            return work()
        except (sqlite3.Error, BrokenRow) as error:
            if is_broken(error):
                self._db.close()
            self._replace(error)
        try:
            return work()
        except (sqlite3.Error, BrokenRow) as error:
            raise spool_failed(error) from error

    def _replace(self, error: Exception) -> None:
        if isinstance(error, ClientError):
            raise error
        if not is_broken(error):
            raise spool_failed(error) from error
        self.broken_files += 1
        self._on_broken(error)
        try:
            self._read_tables(replace_broken(self._path))
        except (sqlite3.Error, OSError) as cause:
            raise spool_failed(cause) from cause


def _size(body: str) -> int:
    return len(body) if body.isascii() else len(body.encode())


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
