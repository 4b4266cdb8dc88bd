"""Leads schemathesis past the front door, looks at the headers of each answer, and counts.

CELLARMAN_FUZZ names a JSON file with what exists in the product (see fuzz-api.ts), CELLARMAN_FUZZ_TALLY the file for the
counts.
"""

import atexit
import base64
import json
import os
import random
import time
from collections import Counter
from datetime import datetime, timedelta, timezone

import hypothesis
import requests
import schemathesis
from hypothesis.internal.conjecture.engine import ConjectureRunner

# No hill climbing towards accepted requests and no shrinking: both cost half of the time, and what fails is kept whole.
hypothesis.settings.register_profile("plain", phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate])
hypothesis.settings.load_profile("plain")
# Nor a value put where another one of the same kind was: most of what that makes is thrown away again, after the work.
ConjectureRunner.generate_mutations_from = lambda self, data: None

with open(os.environ["CELLARMAN_FUZZ"], encoding="utf-8") as file:
    existing = json.load(file)

people = existing["people"]

# Lines of JSON are a text to the document.
schemathesis.serializer.alias(["application/x-ndjson", "application/ndjson", "application/x-protobuf"], "text/plain")

tally: Counter[tuple[str, int]] = Counter()
chance = random.Random(existing["seed"])


@atexit.register
def write_tally() -> None:
    counts = [{"operation": name, "status": status, "count": count} for (name, status), count in tally.items()]
    with open(os.environ["CELLARMAN_FUZZ_TALLY"], "w", encoding="utf-8") as out:
        json.dump(counts, out)


@schemathesis.hook
def after_call(context, case, response) -> None:
    tally[f"{case.method} {case.operation.path}", response.status_code] += 1


@schemathesis.hook
def before_call(context, case, kwargs) -> None:
    """Gives valid requests what only the product knows, mostly: names, ids, times. Invalid ones stay as they are."""
    path = case.operation.path
    # Signing in and out ends the session that comes with it, and a claim has none.
    signs_in_or_out = path in ("/api/v1/setup", "/api/v1/join", "/api/v1/claims") or (path == "/api/v1/session" and case.method != "GET")
    if path.startswith("/api/v1/query/cellars/") and chance.random() < 0.5:
        case.headers.setdefault("X-API-Key", existing["reading"])
    elif path.startswith("/api/") and not signs_in_or_out:
        case.headers.setdefault("Cookie", cookie_for(path))
    # Nor may that account be disabled, which it can be as soon as there is another owner.
    if path == "/api/v1/users/{id}" and case.path_parameters.get("id") == existing["accountId"]:
        case.path_parameters["id"] = people["members"][0]
    # Archived, a cellar takes no changes any more.
    if path.endswith("/archive"):
        case.path_parameters["cellar"] = existing["archivable"]
    if case.meta is None or not case.meta.generation.mode.is_positive or chance.random() < 0.2:
        return
    parameters = case.path_parameters
    if "cellar" in parameters:
        parameters["cellar"] = cellar_for(path)
    if "id" in parameters:
        parameters["id"] = id_for(path, case.method)
    if case.query and "cursor" in case.query:
        case.query["cursor"] = cursor()
    if path.startswith("/internal/v1/observations/"):
        make_observation_honest(case.query)
    if path == "/api/v1/ingest/batch" and isinstance(case.body, list):
        for reading in case.body:
            make_reading_honest(reading)
    if path in ("/api/v2/write", "/write"):
        case.query = {"bucket" if path == "/api/v2/write" else "db": existing["sending"], "precision": "s"}
        case.body = lines()
    if path == "/v1/metrics" and isinstance(case.body, dict):
        case.body = {"resourceMetrics": [metrics()]}
    if isinstance(case.body, dict):
        make_honest(path, case.body)
    if path == "/api/v1/session/password" and isinstance(case.body, dict) and len(people["changers"]) > 1:
        changer = people["changers"].pop(0)
        case.headers["Cookie"] = changer["cookie"]
        case.body.update(currentPassword=changer["password"], newPassword="another for the fuzz alone")
    if path == "/api/v1/session/confirm" and isinstance(case.body, dict):
        case.headers["Cookie"] = people["leaver"]["cookie"]
        case.body["password"] = "made for the fuzz alone"


def cookie_for(path: str) -> str:
    # Guessing at a password locks its account out for a while, so it is never that of the one who asks.
    if path in ("/api/v1/session/password", "/api/v1/session/confirm"):
        return people["changers"][-1]["cookie"]
    # schemathesis asks with ids that it has seen in answers, and one of them is that of the session.
    if path == "/api/v1/sessions/{id}":
        return people["leaver"]["cookie"]
    return existing["cookie"]


def cellar_for(path: str) -> str:
    if path.startswith("/api/v1/query/"):
        return existing["sending"]
    return existing["archivable" if path.endswith("/archive") else "cellar"]


def id_for(path: str, method: str) -> str:
    if path == "/api/v1/users/{id}":
        return chance.choice(people["members"])
    if path == "/api/v1/sessions/{id}":
        return next_of(people["leaver"]["sessions"])
    if path == "/api/v1/invitations/{id}":
        return next_of(people["invitations"])
    if "/claim-codes/" in path:
        return chance.choice(existing["claimCodes"])
    if path == "/api/v1/tokens/{id}/revoke":
        return chance.choice(people["serviceTokens"])
    for kind, path_part in (("alertRules", "/alert-rules/"), ("alertDestinations", "/alert-destinations/")):
        if path_part in path:
            return next_of(existing[kind]) if method == "DELETE" else existing[kind][-1]
    return chance.choice(existing["revocable" if path.endswith("/revoke") else "keys"])


def next_of(values: list[str]) -> str:
    """Each is good for one request; the last stays."""
    return values.pop(0) if len(values) > 1 else values[0]


def make_honest(path: str, body: dict) -> None:
    if path == "/api/v1/join/lookup":
        body["token"] = people["tokens"][-1]
    if path == "/api/v1/join" and len(people["tokens"]) > 1:
        body.update(token=next_of(people["tokens"]), password="made for the fuzz alone")
    if path == "/api/v1/claims":
        body["claimCode"] = existing["claimCode"]
    if "cellars" in body:
        body["cellars"] = [existing["cellar"]]
        if body.get("role") == "owner":
            del body["cellars"]
    if "/alert-destinations" in path and body.get("kind", "webhook") == "webhook":
        body["url"] = "http://127.0.0.1:9/"
        body.pop("recipients", None)
    if "/alert-rules" in path and "destinations" in body:
        body["destinations"] = []
    if path == "/api/v1/session":
        body.update(existing["admin"])
    if path == "/api/v1/ingest":
        make_reading_honest(body)
    if "expiresAt" in body and body["expiresAt"] is not None:
        body["expiresAt"] = text_of(timedelta(days=chance.randint(1, 300)))
    if body.get("rack") is not None:
        body.pop("rackPrefix", None)
    for use in body.get("uses", []):
        use["at"] = text_of(timedelta(seconds=-chance.randint(0, 1000)))
        use["id"] = chance.choice(existing["keys"])


def make_observation_honest(query: dict) -> None:
    query["cellar"] = existing["sending"]
    if "from" in query:
        query.update({"from": text_of(timedelta(hours=-1)), "to": text_of(timedelta())})
    if "keg" in query:
        query.setdefault("above", 1)


def make_reading_honest(reading: dict) -> None:
    reading["cellar"] = existing["sending"]
    reading["timestamp"] = text_of(timedelta(seconds=-chance.randint(0, 100_000)))
    if isinstance(reading["value"], int):
        # Integers that no double can hold are rejected.
        reading["value"] %= 2**53


def lines() -> str:
    now = int(datetime.now(timezone.utc).timestamp())
    return "\n".join(f"m,rack=r value={chance.random()} {now - n}" for n in range(chance.randint(1, 20)))


def metrics() -> dict:
    now = int(datetime.now(timezone.utc).timestamp())
    rack = {"key": "rack", "value": {"stringValue": "r"}}
    points = [{"timeUnixNano": f"{now - n}000000000", "asDouble": chance.random(), "attributes": [rack]} for n in range(chance.randint(1, 20))]
    return {"scopeMetrics": [{"metrics": [{"name": "m", "gauge": {"dataPoints": points}}]}]}


def text_of(distance: timedelta) -> str:
    return (datetime.now(timezone.utc) + distance).strftime("%Y-%m-%dT%H:%M:%SZ")


def cursor() -> str:
    """As lists give them, with values that they did not give."""
    values = [chance.choice(["createdAt", "name", "", "0", "-1", "\0", "9" * 30, "now", "💥"]) for _ in range(3)]
    text = json.dumps(values[: chance.randint(1, 3)])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


@schemathesis.check
def hardened_headers(ctx, response, case) -> None:
    """No banner, no sniffing, nothing of the inside."""
    headers = response.headers
    assert headers.get("x-content-type-options") == ["nosniff"], "X-Content-Type-Options: nosniff is missing"
    for name in ("server", "x-powered-by", "via"):
        assert name not in headers, f"{name} tells what runs here"
    for inside in ("node_modules", "at async", ".ts:", "FST_ERR", "ECONN"):
        assert inside not in response.text, f"the answer shows the inside: {inside}"


@schemathesis.check
def available_soon(ctx, response, case) -> None:
    """Every engine is up. A busy machine may cause a 503, but not for as long as a client sends the request again."""
    if response.status_code != 503:
        return
    assert "retry-after" in response.headers, "503 without Retry-After"
    status = 503
    for _ in range(5):
        if status == 503:
            time.sleep(1)
            status = requests.Session().send(response.request, timeout=20).status_code
    assert status < 500, f"sent again for 5 s, the request gets {status}"


@schemathesis.check
def still_signed_in(ctx, response, case) -> None:
    """Without a session nearly every answer is 401, and nothing behind it is tried."""
    if case.headers.get("Cookie") == existing["cookie"]:
        assert response.status_code != 401, "the session that all requests come with has ended"
