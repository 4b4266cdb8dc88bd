from __future__ import annotations


class ClientError(Exception):
    """Why a client could not be opened, or a reading not be kept.

    ``code`` is one of ``invalid_options``, ``invalid_reading``, ``clock_not_set``, ``spool_full``, ``spool_locked``,
    ``spool_failed`` and ``closed``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
