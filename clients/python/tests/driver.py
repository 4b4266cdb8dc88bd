"""The driver for the scenarios: commands on stdin, replies on stdout; see docs/clients.md."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from dataclasses import asdict
from datetime import datetime
from typing import Any

from cellarman import Client, ClientError

client: Client
clock: dict[str, Any] = {"at": None}


def now() -> float:
    at = clock["at"]
    return time.time() if at is None else datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp()


def snake(options: dict[str, Any]) -> dict[str, Any]:
    return {re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name): value for name, value in options.items()}


def camel(status: dict[str, Any]) -> dict[str, Any]:
    return {re.sub("_(.)", lambda found: found[1].upper(), name): value for name, value in status.items()}


def execute(command: dict[str, Any]) -> Any:
    global client
    if "open" in command:
        options = snake(command["open"])
        options.setdefault("api_key", None)
        client = Client(**options, now=now, on_problem=lambda problem: None)
        return True
    if "put" in command:
        client.put(command["put"], backfill=command.get("backfill", False))
        return len(command["put"])
    if "status" in command:
        return camel(asdict(client.status()))
    if "setAside" in command:
        return [asdict(rejected) for rejected in client.set_aside()]
    if "requeue" in command:
        return client.requeue()
    if "close" in command:
        return {"waiting": client.close(command["close"])}
    clock["at"] = command["clock"]
    return True


for line in sys.stdin:
    try:
        reply = {"ok": execute(json.loads(line))}
    except ClientError as error:
        reply = {"error": error.code}
    except Exception as error:
        reply = {"error": repr(error)}
    print(json.dumps(reply), flush=True)
os._exit(0)
