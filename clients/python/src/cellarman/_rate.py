from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping

# Of the IETF draft: "api-key";r=5;t=1
_POLICY = re.compile(r";q=(\d+);w=(\d+)")
_LIMIT = re.compile(r";r=(\d+)(?:;t=(\d+))?")


class Rate:
    """What the responses say about the rate limit of the key."""

    def __init__(self) -> None:
        self._per_second = 0.0
        self._burst = self._left = math.inf
        self._wait = self._at = 0.0

    def note(self, headers: Mapping[str, str]) -> None:
        policy = _POLICY.search(headers.get("ratelimit-policy", ""))
        if policy and int(policy[2]) > 0:
            self._burst = int(policy[1])
            self._per_second = self._burst / int(policy[2])
        limit = _LIMIT.search(headers.get("ratelimit", ""))
        self._left = int(limit[1]) if limit else math.inf
        self._wait = float(limit[2] or 0) if limit else 0.0
        self._at = time.monotonic()

    def allowance(self, wanted: int) -> tuple[int, float]:
        """Returns how many readings may be sent now; 0: after how many seconds."""
        passed = time.monotonic() - self._at
        available = min(self._burst, self._left + passed * self._per_second)
        if self._left == math.inf or available >= wanted:
            return wanted, 0.0
        # At a low rate, a request a second rather than one for each reading.
        least = min(wanted, self._burst, max(1, math.floor(self._per_second)))
        if available >= least:
            return int(available), 0.0
        if self._per_second > 0:
            return 0, max(0.001, (least - available) / self._per_second)
        return (wanted, 0.0) if passed >= self._wait else (0, self._wait - passed)

    def pause(self, readings: int, share: float) -> float:
        """Returns how many seconds a lane pauses that may use only a share of the rate. 0: the rate is unknown."""
        return readings / (self._per_second * share) if self._per_second > 0 else 0.0
