"""What the scenarios cannot see: threads, types of Python, and errors of the disk."""

from __future__ import annotations

import json
import sqlite3
import tempfile
import threading
import unittest
import unittest.mock
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

from cellarman import Client, ClientError, Problem
from cellarman._database import open_database

AT = "2026-01-01T00:00:01Z"
# Nothing listens there.
URL = "http://127.0.0.1:9"


class Puts(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cellarman-client-")
        self.addCleanup(folder.cleanup)
        self.path = str(Path(folder.name) / "spool")
        self.problems: list[Problem] = []
        self.client = self.open()

    def tearDown(self) -> None:
        self.client.close(0)

    def open(self, **options: Any) -> Client:
        return Client(URL, "cm_key", self.path, cellar="demo", on_problem=self.problems.append, **options)

    def stored(self) -> list[dict[str, Any]]:
        self.client.close(0)
        database = open_database(self.path)
        rows = database.execute("SELECT body FROM readings ORDER BY id").fetchall()
        database.close()
        return [json.loads(body) for (body,) in rows]

    def test_puts_of_many_threads_share_commits_and_keep_the_order_of_each(self) -> None:
        commits: list[str] = []
        self.client._spool._db.set_trace_callback(lambda sql: commits.append(sql) if sql == "COMMIT" else None)

        def put(rack: str) -> None:
            for value in range(50):
                self.client.put({"rack": rack, "keg": "k", "value": value})

        threads = [threading.Thread(target=put, args=(f"rack-{number}",)) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertLess(len(commits), 700)
        readings = self.stored()
        values = defaultdict(list)
        for reading in readings:
            values[reading["rack"]].append(reading["value"])
        self.assertEqual(dict(values), {f"rack-{number}": list(range(50)) for number in range(20)})
        self.assertEqual(len({reading["timestamp"] for reading in readings}), 1000)

    def test_ctrl_c_in_a_commit(self) -> None:
        add = self.client._spool.add
        self.client._spool.add = unittest.mock.Mock(side_effect=KeyboardInterrupt)  # type: ignore[method-assign]
        with self.assertRaises(KeyboardInterrupt):
            self.client.put({"rack": "r", "keg": "k", "value": 1})
        self.client._spool.add = add  # type: ignore[method-assign]
        self.client.put({"rack": "r", "keg": "k", "value": 2})
        self.assertEqual([reading["value"] for reading in self.stored()], [2])

    def test_ctrl_c_while_waiting_for_the_lock(self) -> None:
        lock = self.client._lock
        with lock:
            turn = unittest.mock.Mock()
            turn.acquire.side_effect = [True, KeyboardInterrupt]
            with unittest.mock.patch("threading.Lock", return_value=turn), self.assertRaises(KeyboardInterrupt):
                lock.__enter__()
        with lock:
            pass

    def test_values_and_timestamps(self) -> None:
        berlin = timezone(timedelta(hours=2))
        for value in (7, -0.0, 1e300, 0.1 + 0.2, 1e16, 2**53):
            self.client.put({"rack": "r", "keg": "k", "value": value, "timestamp": AT})
        at = datetime(2026, 5, 1, 2, 0, 0, 5, berlin)
        self.client.put([{"rack": "r", "keg": "k", "value": 1, "timestamp": at}])
        readings = self.stored()
        self.assertEqual([reading["value"] for reading in readings[:-1]], [7, -0.0, 1e300, 0.1 + 0.2, 1e16, 2**53])
        self.assertEqual(readings[-1]["timestamp"], "2026-05-01T00:00:00.000005Z")

    def test_what_is_no_reading(self) -> None:
        good = {"rack": "r", "keg": "k", "value": 1}
        naive = datetime(2026, 5, 1)
        wrong: list[tuple[str, object]] = [
            ("value", wrong) for wrong in (True, float("nan"), float("inf"), 10**400, Decimal(1), "1", None)
        ]
        wrong += [("rack", "\ud800"), ("keg", ""), ("timestamp", naive), ("timestamp", f"{AT}\n")]
        for field, value in wrong:
            with self.subTest(field=field, value=value), self.assertRaises(ClientError) as raised:
                reading: Any = {**good, field: value}
                self.client.put([reading])
            self.assertEqual(raised.exception.code, "invalid_reading")
        self.assertEqual(self.stored(), [])

    def test_a_disk_that_is_full(self) -> None:
        database = self.client._spool._db
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        database.execute(f"PRAGMA max_page_count = {pages + 2}").fetchone()
        readings = [{"rack": "r", "keg": "k" * 100, "value": value} for value in range(200)]
        with self.assertRaises(ClientError) as raised:
            self.client.put(readings)  # type: ignore[arg-type]
        self.assertEqual(raised.exception.code, "spool_failed")
        self.assertEqual(self.client.status().waiting, 0)
        database.execute("PRAGMA max_page_count = 100000").fetchone()
        self.client.put(readings)  # type: ignore[arg-type]
        self.assertEqual(len(self.stored()), 200)

    def test_a_closed_client(self) -> None:
        self.client.put({"rack": "r", "keg": "k", "value": 1})
        self.assertEqual(self.client.close(0), 1)
        self.assertEqual(self.client.close(0), 1)
        for call in (lambda: self.client.put({"rack": "r", "keg": "k", "value": 1}), self.client.status):
            with self.assertRaises(ClientError) as raised:
                call()
            self.assertEqual(raised.exception.code, "closed")

    def test_options_that_are_wrong(self) -> None:
        for options in ({"on_full": "drop"}, {"max_bytes": -1}, {"compression": "br"}, {"timeout_ms": float("nan")}):
            with self.subTest(options=options), self.assertRaises(ClientError) as raised:
                self.open(**options)
            self.assertEqual(raised.exception.code, "invalid_options")

    def test_a_second_client_of_the_same_process(self) -> None:
        with self.assertRaises(ClientError) as raised:
            self.open()
        self.assertEqual(raised.exception.code, "spool_locked")
        self.assertIsInstance(raised.exception.__cause__, sqlite3.OperationalError)
        self.client.put({"rack": "r", "keg": "k", "value": 1})
