from __future__ import annotations

import os
import sqlite3
import time

from ._errors import ClientError

_APPLICATION_ID = 1129141072
_VERSION = 1
_SCHEMA = f"""
  CREATE TABLE readings (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL);
  CREATE TABLE set_aside (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL, code TEXT NOT NULL, error TEXT NOT NULL
  );
  CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  PRAGMA application_id = {_APPLICATION_ID};
  PRAGMA user_version = {_VERSION}"""


class BrokenRow(Exception):
    """A row that no client has written."""


def open_database(path: str) -> sqlite3.Connection:
    """Opens the spool and takes its lock.

    Raises ClientError with ``spool_locked`` or ``spool_failed``, and the errors of a broken file as they are.
    """
    try:
        db = _connect(path)
    except sqlite3.Error as error:
        raise spool_failed(error) from error
    try:
        # Before WAL: the lock belongs to the connection, dies with the process, and there is no shared memory file.
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        is_new = _identify(db, path)
        db.execute("PRAGMA journal_mode = WAL").fetchone()
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA journal_size_limit = 16777216").fetchone()
        db.execute("BEGIN EXCLUSIVE")
        for statement in _SCHEMA.split(";") if is_new else ():
            db.execute(statement)
        db.execute("COMMIT")
        # Found now rather than by the first put.
        db.execute("SELECT id, at, body FROM readings ORDER BY id LIMIT 1").fetchone()
        return db
    except BaseException as error:
        _close(db)
        if isinstance(error, sqlite3.Error) and not is_broken(error):
            if "locked" in str(error):
                raise ClientError("spool_locked", f"another client has {path} open") from error
            raise spool_failed(error) from error
        raise


def _connect(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    # A broken row may have any bytes; is_body finds them.
    db.text_factory = lambda data: data.decode("utf-8", "replace")
    return db


def _identify(db: sqlite3.Connection, path: str) -> bool:
    """Returns whether the file is empty."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (application,) = db.execute("PRAGMA application_id").fetchone()
    if application == _APPLICATION_ID and version == _VERSION:
        return False
    if db.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
        return True
    found = f"application {application}, version {version}"
    raise ClientError("spool_failed", f"{path} is not a spool of this version: {found}")


def replace_broken(path: str) -> sqlite3.Connection:
    """Renames a broken file, so that it can be examined, and opens a new one with what is readable of it."""
    broken = f"{path}.broken-{time.time_ns() // 1_000_000}"
    for suffix in ("", "-wal", "-journal"):
        if os.path.exists(path + suffix):
            os.replace(path + suffix, broken + suffix)
    db = open_database(path)
    db.execute("BEGIN")
    old = _connect(broken)
    try:
        # Else SQLite reads nothing of a file that is shorter than its header states.
        old.execute("PRAGMA writable_schema = ON")
        for row in old.execute("SELECT id, at, body FROM readings ORDER BY id"):
            if is_body(row[2]):
                db.execute("INSERT OR IGNORE INTO readings (id, at, body) VALUES (?, ?, ?)", row)
    except sqlite3.Error:
        # Nothing more can be read.
        pass
    finally:
        _close(old)
    db.execute("INSERT OR REPLACE INTO counters SELECT 'waiting', count(*) FROM readings")
    size = "coalesce(sum(length(CAST(body AS BLOB))), 0)"
    db.execute(f"INSERT OR REPLACE INTO counters SELECT 'bytes', {size} FROM readings")
    db.execute("COMMIT")
    return db


def is_body(text: object) -> bool:
    """SQLite has no checksums, so a row of a cut file may be zeros. A line feed would shift the lines of a request."""
    return isinstance(text, str) and text[:1] == "{" and text[-1:] == "}" and "\n" not in text


def is_broken(error: BaseException) -> bool:
    # Before Python 3.11, errors have no code.
    text = str(error)
    is_text_of_broken = "malformed" in text or "not a database" in text
    return isinstance(error, BrokenRow) or (isinstance(error, sqlite3.DatabaseError) and is_text_of_broken)


def is_full(error: BaseException) -> bool:
    """Whether a write failed for lack of space, or as if."""
    return isinstance(error, sqlite3.OperationalError) and ("is full" in str(error) or "I/O error" in str(error))


def spool_failed(error: BaseException) -> ClientError:
    return ClientError("spool_failed", str(error))


def _close(db: sqlite3.Connection) -> None:
    try:
        db.close()
    except sqlite3.Error:
        # A broken file may not even be closed; the error that led here is reported.
        pass
