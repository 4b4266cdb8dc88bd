from __future__ import annotations

import threading
from collections import deque


class FairLock:
    """A lock that is passed on in the order of arrival. With threading.Lock, a thread that puts in a loop starves the sender."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._is_held = False

    def __enter__(self) -> None:
        with self._mutex:
            if not self._is_held:
                self._is_held = True
                return
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        try:
            turn.acquire()
        except BaseException:
            # Ctrl-C: the lock must not be passed to a thread that has left.
            with self._mutex:
                if turn in self._waiting:
                    self._waiting.remove(turn)
                    raise
            self._pass_on()
            raise

    def __exit__(self, *_: object) -> None:
        self._pass_on()

    def _pass_on(self) -> None:
        with self._mutex:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_held = False
