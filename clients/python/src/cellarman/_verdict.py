from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from ._post import Response
from ._spool import Rejection


@dataclass(frozen=True)
class Verdict:
    """What happens to the readings of a request."""

    next: str
    """``go on``, ``retry``, ``halve``: the same readings in smaller requests, or ``blocked``: a person has to do something."""
    kept: Collection[int] = ()
    """Indexes that are sent again."""
    rejections: dict[int, Rejection] = field(default_factory=dict)
    problem: tuple[str, str] | None = None
    """Code and message: why not everything is stored."""


def verdict_of(response: Response, count: int) -> Verdict:
    """Decides by the response to a batch; see "Responses" in docs/clients.md.

    A reading leaves the spool only if ingest, or a gateway, has counted it.
    """
    status, body = response.status, response.body
    problem = _problem_of(response)
    keep = range(count)
    if status == 0 or body is None:
        return Verdict("retry", keep, problem=problem)
    accepted, errors = body.get("accepted"), body.get("errors")
    if isinstance(errors, list) and errors and accepted == count - len(errors):
        verdict = _verdict_on_each(errors, problem, count)
        if len(verdict.kept) + len(verdict.rejections) == len(errors):
            return verdict
    # A gateway has them on its disk, and sends them.
    is_confirmed = status == 200 or (status == 202 and body.get("status") == "queued")
    if is_confirmed and accepted == count:
        return Verdict("go on")
    if status < 300:
        message = f"{status} does not confirm {count} readings"
        return Verdict("retry", keep, problem=("unexpected_response", message))
    if status in (400, 413):
        if count > 1:
            return Verdict("halve", keep, problem=problem)
        return Verdict("go on", (), {0: Rejection(*problem)}, problem)
    is_temporary = status in (408, 429) or status >= 500
    return Verdict("retry" if is_temporary else "blocked", keep, problem=problem)


def verdict_of_claim(response: Response) -> Verdict:
    """Decides by the response to a claim that gave no key."""
    status = response.status
    is_temporary = response.body is None or status < 300 or status in (408, 429) or status >= 500
    return Verdict("retry" if is_temporary else "blocked", problem=_problem_of(response))


def _verdict_on_each(errors: list[Any], problem: tuple[str, str], count: int) -> Verdict:
    kept: set[int] = set()
    rejections: dict[int, Rejection] = {}
    for entry in errors:
        index = entry.get("index") if isinstance(entry, dict) else None
        if type(index) is not int or not 0 <= index < count:
            continue
        if entry.get("retryable") is True:
            kept.add(index)
        else:
            rejections[index] = Rejection(_text(entry.get("code"), "rejected"), _text(entry.get("error"), ""))
    for rejection in rejections.values():
        problem = (rejection.code, rejection.error)
        break
    return Verdict("retry" if kept else "go on", kept, rejections, problem)


def _problem_of(response: Response) -> tuple[str, str]:
    status, body = response.status, response.body
    if status == 0:
        return "no_response", response.reason
    if body is None:
        return "unexpected_response", f"{status} without JSON: not from ingest"
    return _text(body.get("code"), f"http_{status}"), _text(body.get("error"), f"status {status}")


def _text(value: object, otherwise: str) -> str:
    return value if isinstance(value, str) else otherwise
