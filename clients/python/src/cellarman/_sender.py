from __future__ import annotations

import math
import random
import threading
import time
from datetime import datetime, timezone
from typing import Any, Callable

from ._api_key import ApiKey
from ._lock import FairLock
from ._options import Options
from ._post import Poster, Response
from ._rate import Rate
from ._reports import Problem
from ._spool import Batch, Spool
from ._verdict import Verdict, verdict_of, verdict_of_claim

# The longest that a condition can wait on all platforms, about.
_LONGEST_PAUSE = 3600.0


class Sender:
    """A thread that sends what is in the spool, one request at a time."""

    def __init__(self, spool: Spool, lock: FairLock, options: Options, on_problem: Callable[[Problem], None]) -> None:
        self._spool = spool
        self._lock = lock
        self._options = options
        self._on_problem = on_problem
        self._poster = Poster(options, options.url, "/api/v1/ingest/batch")
        self._api_key = ApiKey(options)
        self._rate = Rate()
        self._wake = threading.Condition()
        self._pause: str | None = None
        self._is_stopped = self._is_closing = False
        self._limit = options.batch_readings
        self._failures = 0
        self._failing_since: float | None = None
        self._backlog_from = 0.0
        self.state = "idle"
        self.last_success_at: str | None = None
        self.last_error: Problem | None = None
        self.clock_offset_ms: int | None = None
        if options.order == "fresh-first":
            spool.raise_boundary()
        self._thread = threading.Thread(target=self._run, name="cellarman", daemon=True)
        self._thread.start()

    def notify(self) -> None:
        """Readings were added."""
        with self._wake:
            has_batch = self._pause == "linger" and self._spool.counters["waiting"] >= self._limit
            if self._pause == "readings" or has_batch:
                self._end_pause()

    def close(self, deadline_seconds: float) -> None:
        """Sends until the spool is empty, or the deadline has passed."""
        with self._wake:
            self._is_closing = True
            self._end_pause()
        self._thread.join(deadline_seconds)
        with self._wake:
            self._is_stopped = True
            self._end_pause()
        self._poster.abort()
        self._api_key.abort()

    def _report(self, code: str, message: str) -> None:
        # Once for each outage, and for each batch with rejected readings.
        is_new = self.last_error is None or self.last_error.code != code or self._failures <= 1
        self.last_error = Problem(code, message, iso(time.time()))
        if is_new:
            self._on_problem(self.last_error)

    def _run(self) -> None:
        while not self._is_stopped:
            try:
                if self._is_closing and self._spool.counters["waiting"] == 0:
                    return
                key = self._api_key.current
                if key is None:
                    self._claim()
                    continue
                found = self._choose()
                if isinstance(found, Batch):
                    self._send(found, key)
                else:
                    self._wait(found, "readings" if found == math.inf else "linger")
            except Exception as error:
                # The disk may be full: what is not removed now is sent again.
                self._fail(getattr(error, "code", "spool_failed"), str(error), "waiting")

    def _choose(self) -> Batch | float:
        """Returns the batch that is due, or for how many seconds to wait for one."""
        with self._lock:
            if self._is_stopped:
                return math.inf
            waiting = self._spool.counters["waiting"]
            if waiting == 0:
                return math.inf
            wanted = min(self._limit, waiting)
            readings, seconds = self._rate.allowance(wanted)
            if readings == 0:
                return seconds
            fresh = self._spool.next(False, readings, self._options.batch_bytes)
            linger = self._options.linger_ms / 1000
            age = abs(time.time() - fresh.first_at / 1000) if fresh else 0.0
            is_full = fresh and (fresh.is_cut or len(fresh.ids) == self._limit or readings < wanted)
            if fresh and (is_full or self._is_closing or age >= linger):
                return fresh
            until_backlog = self._backlog_from - time.monotonic()
            backlog = self._spool.next(True, readings, self._options.batch_bytes) if until_backlog <= 0 else None
            if backlog:
                return backlog
            seconds = min(linger - age if fresh else math.inf, until_backlog if until_backlog > 0 else math.inf)
            # Infinity ends with a put.
            return min(seconds, _LONGEST_PAUSE)

    def _claim(self) -> None:
        self.state = "sending"
        response = self._api_key.claim()
        if self._api_key.current is None:
            self._fail_with(verdict_of_claim(response), response)
        else:
            self._failures = 0
            self.state = "idle"

    def _send(self, batch: Batch, key: str) -> None:
        self.state = "sending"
        began = time.time()
        response = self._poster.post(batch.bodies, key)
        verdict = verdict_of(response, len(batch.ids))
        with self._lock:
            if self._is_stopped:
                return
            if len(verdict.kept) < len(batch.ids):
                self._spool.settle(batch, verdict.kept, verdict.rejections)
        if response.body is not None:
            self._rate.note(response.headers)
            self._note_clock(response.body, (began + time.time()) / 2)
        if batch.is_backlog:
            self._backlog_from = time.monotonic() + self._rate.pause(len(batch.ids), self._options.backlog_share)
        if verdict.next == "halve":
            self._limit = max(1, len(batch.ids) // 2)
        elif verdict.next == "go on":
            self._succeed(verdict)
        else:
            self._fail_with(verdict, response)

    def _succeed(self, verdict: Verdict) -> None:
        since = self._failing_since
        if since is not None and time.monotonic() - since > self._options.fresh_ms / 1000:
            if self._options.order == "fresh-first":
                with self._lock:
                    self._spool.raise_boundary()
        self._failing_since = None
        self._failures = 0
        self._limit = min(self._options.batch_readings, self._limit * 2)
        self.state = "idle"
        self.last_success_at = iso(time.time())
        if verdict.problem is not None:
            self._report(*verdict.problem)

    def _fail_with(self, verdict: Verdict, response: Response) -> None:
        code, message = verdict.problem or ("unavailable", "")
        retry_after = response.headers.get("retry-after", "")
        if verdict.next == "blocked":
            self._fail(code, message, "blocked", self._options.blocked_ms / 1000)
        elif retry_after.isascii() and retry_after.isdigit():
            self._fail(code, message, "waiting", float(retry_after))
        else:
            self._fail(code, message, "waiting")

    def _fail(self, code: str, message: str, state: str, seconds: float | None = None) -> None:
        if seconds is None:
            longest = min(self._options.retry_max_ms, self._options.retry_min_ms * 2 ** min(self._failures, 20))
            seconds = longest / 1000 * random.uniform(0.5, 1)
        self._failures += 1
        if self._failing_since is None:
            self._failing_since = time.monotonic()
        if not self._is_stopped:
            self._report(code, message)
            self.state = state
            self._wait(seconds, "retry")

    def _note_clock(self, body: dict[str, Any], local: float) -> None:
        try:
            server = datetime.strptime(body.get("timestamp", ""), "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)
        except (TypeError, ValueError):
            return
        self.clock_offset_ms = round((server.timestamp() - local) * 1000)

    def _wait(self, seconds: float, reason: str) -> None:
        """Puts end only a pause that waits for readings."""
        with self._wake:
            if reason != "retry" and self.state == "sending":
                self.state = "idle"
            # A put that came since the choice has notified nobody.
            has_more = self._is_closing or self._spool.counters["waiting"] > 0
            if self._is_stopped or (reason == "readings" and has_more):
                return
            self._pause = reason
            deadline = time.monotonic() + seconds
            while self._pause is not None and time.monotonic() < deadline:
                self._wake.wait(min(deadline - time.monotonic(), _LONGEST_PAUSE))
            self._pause = None

    def _end_pause(self) -> None:
        self._pause = None
        self._wake.notify_all()


def iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
