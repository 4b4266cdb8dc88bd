"""What is on disk after a power failure: everything before the last fsync, and anything of what came after it."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
import unittest
from pathlib import Path
from typing import Callable

from cellarman._errors import ClientError
from cellarman._spool import Spool


def body_of(number: int) -> str:
    return json.dumps({"number": number, "text": "x" * (number % 300)})


class PowerLoss(unittest.TestCase):
    def setUp(self) -> None:
        # In memory: the test writes what a disk would have, thousands of times.
        memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
        folder = tempfile.TemporaryDirectory(prefix="cellarman-spool-", dir=memory)
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "spool"
        self.log = Path(f"{self.path}-wal")

    def open(self) -> Spool:
        return Spool(str(self.path), 10**9, False, lambda error: None)

    def put(self, spool: Spool, count: int, first: int) -> None:
        self.assertEqual(spool.add([([body_of(first + index) for index in range(count)], False)]), [True])

    def survivors(self, database: bytes, log: bytes) -> int:
        """Returns the number of readings of a spool, which are the first ones that were put, in order."""
        self.path.write_bytes(database)
        self.log.write_bytes(log)
        spool = self.open()
        batch = spool.next(False, 10**6, 10**9)
        bodies = batch.bodies if batch else []
        self.assertEqual(bodies, [body_of(number) for number in range(len(bodies))])
        self.assertEqual(spool.counters["waiting"], len(bodies))
        self.assertEqual(spool.counters["bytes"], sum(map(len, bodies)))
        self.put(spool, 1, 0)
        spool.close()
        return len(bodies)

    def test_a_log_that_ends_anywhere_or_in_garbage(self) -> None:
        # More often near the end of a page.
        self.cut_log(60, -6, lambda end: 7 if end % 4120 < 60 else 293)

    def test_a_log_that_ends_at_every_byte_of_the_last_commit(self) -> None:
        self.cut_log(5, -2, lambda end: 1)

    def cut_log(self, puts: int, since: int, step: Callable[[int], int]) -> None:
        spool = self.open()
        count = 0
        commits = []
        for index in range(puts):
            self.put(spool, 1 + index % 20, count)
            count += 1 + index % 20
            commits.append((self.log.stat().st_size, count))
        database, log = self.path.read_bytes(), self.log.read_bytes()
        spool.close()
        tries = 0
        end = commits[since][0]
        while end <= len(log):
            acknowledged = max(count for size, count in commits if size <= end)
            rest = len(log) - end
            tail = (b"", bytes(rest), os.urandom(rest))[tries % 3]
            with self.subTest(end=end):
                self.assertEqual(self.survivors(database, log[:end] + tail), acknowledged)
            tries += 1
            end += step(end)
        self.assertGreater(tries, 100)

    def test_a_database_that_was_cut_off(self) -> None:
        spool = self.open()
        self.put(spool, 3000, 0)
        spool.close()
        whole = self.path.read_bytes()
        for end in range(0, len(whole), 20_011):
            with self.subTest(end=end):
                self.path.write_bytes(whole[:end])
                spool = self.open()
                batch = spool.next(False, 10**6, 10**9)
                numbers = [json.loads(body)["number"] for body in batch.bodies] if batch else []
                self.assertEqual(batch.bodies if batch else [], [body_of(number) for number in sorted(numbers)])
                self.assertEqual(spool.broken_files, 0 if end == 0 else 1)
                # All but those of the page that was cut, and of pages behind it.
                self.assertGreaterEqual(len(numbers), 3000 * (end / len(whole) - 0.1))
                self.put(spool, 1, 0)
                spool.close()

    def test_the_database_of_another_program_is_not_touched(self) -> None:
        with sqlite3.connect(self.path) as database:
            database.execute("CREATE TABLE readings (mine)")
        database.close()
        before = self.path.read_bytes()
        with self.assertRaises(ClientError) as raised:
            self.open()
        self.assertEqual(raised.exception.code, "spool_failed")
        self.assertEqual(self.path.read_bytes(), before)
