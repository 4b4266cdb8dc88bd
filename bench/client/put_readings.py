"""The same as put-readings.ts, for the Python client: the argument is a PutRun, and a PutResult is printed."""

from __future__ import annotations

import json
import re
import resource
import sys
import threading
import time

from cellarman import Client

THREADS = 8

run = json.loads(sys.argv[1])
options = {re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name): value for name, value in run["options"].items()}
client = Client(**options, on_problem=lambda problem: None)
begun = time.perf_counter()
counts = [0] * THREADS


def passed() -> float:
    return time.perf_counter() - begun


def put(thread: int) -> None:
    """Threads put at the same time, so that single readings share a commit."""
    while passed() < run["seconds"]:
        first = counts[thread]
        client.put(
            [
                {"rack": f"rack-{thread}-{number % 100}", "keg": "temperature", "value": number / 10_000}
                for number in range(first, first + run["list"])
            ]
        )
        counts[thread] += run["list"]


def resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


threads = [threading.Thread(target=put, args=(thread,)) for thread in range(THREADS)]
for thread in threads:
    thread.start()
time.sleep(run["seconds"] / 10)
early, early_put = resident(), sum(counts)
for thread in threads:
    thread.join()
put_seconds = passed()
grown = resident() - early
while run["sends"] and client.status().waiting > 0:
    time.sleep(0.005)
usage = resource.getrusage(resource.RUSAGE_SELF)
result = {
    "put": sum(counts),
    "sent": client.status().sent,
    "cpuSeconds": usage.ru_utime + usage.ru_stime,
    "putSeconds": put_seconds,
    "seconds": passed(),
    "grownBytes": grown,
    "putWhileGrowing": sum(counts) - early_put,
}
print(json.dumps(result))
client.close(0)
