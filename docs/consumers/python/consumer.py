"""Stores each reading of cellarman.readings.v1 once, in SQLite. docs/topic.md describes the topic.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python consumer.py --brokers 127.0.0.1:9092 --database readings.db

Python 3.9 or later.
"""

import argparse
import json
import math
import re
import signal
import sqlite3
import sys
from datetime import datetime

from confluent_kafka import Consumer, KafkaException, TopicPartition

# The primary key is the identity of a reading.
TABLE = """CREATE TABLE IF NOT EXISTS readings (
  cellar TEXT, rack TEXT, keg TEXT, timestamp TEXT, value REAL,
  received_at TEXT NOT NULL, trace_id TEXT,
  PRIMARY KEY (cellar, rack, keg, timestamp, value)
) WITHOUT ROWID"""
INSERT = "INSERT INTO readings VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"

NAME = re.compile(r"[^\x00-\x1f\x7f]+")
TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?Z")


def main():
    options = parse_arguments()
    database = sqlite3.connect(options.database)
    database.execute(TABLE)
    settings = {"bootstrap.servers": options.brokers, "group.id": options.group, "enable.auto.commit": False}
    # Stops with an error if retention deleted messages that this group has not read.
    consumer = Consumer({**settings, "auto.offset.reset": "error"})
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    consumer.subscribe([options.topic], on_assign=lambda _, partitions: assign(consumer, partitions, options.start))
    try:
        while True:
            if messages := consumer.consume(num_messages=1000, timeout=0.5):
                with database:
                    database.executemany(INSERT, filter(None, map(to_row, messages)))
                commit(consumer)
    finally:
        consumer.close()


def assign(consumer, partitions, start):
    """Starts partitions without a committed offset, such as new ones, at a time."""
    committed = consumer.committed(partitions, timeout=30)
    for partition in committed:
        if partition.offset < 0:
            # First, so that a message that arrives in between is read.
            _, end = consumer.get_watermark_offsets(partition, timeout=30)
            found = TopicPartition(partition.topic, partition.partition, start)
            [found] = consumer.offsets_for_times([found], timeout=30)
            partition.offset = end if found.offset < 0 else found.offset
    consumer.assign(committed)


def commit(consumer):
    """Commits after the insert: messages that are read again after a crash violate the primary key."""
    try:
        consumer.commit(asynchronous=False)
    except KafkaException as error:
        print(f"The offsets are not committed, so these messages will be read again: {error}", file=sys.stderr)


def to_row(message):
    """Returns the row of a message, or None if it is not a valid reading."""
    if message.error():
        raise KafkaException(message.error())
    try:
        # If a header occurs twice, the last one counts.
        headers = dict(message.headers() or [])
        if headers.get("schema-version") != b"1":
            raise ValueError("the header schema-version is not 1")
        # Unknown fields are ignored. 7 and 7.0 are the same value.
        reading = json.loads(message.value() or b"", parse_int=float)
        names = [reading["cellar"], reading["rack"], reading["keg"]]
        time = TIME.fullmatch(reading["timestamp"])
        value = reading["value"]
        if not (time and TIME.fullmatch(reading["received_at"]) and all(map(NAME.fullmatch, names))):
            raise ValueError("a name or a time is invalid")
        if not (isinstance(value, float) and math.isfinite(value)):
            raise ValueError("the value is not a number")
        "".join(names).encode()  # Raises an error for a lone surrogate.
        # 06:30:00.10Z and 06:30:00.1Z are the same time; 0.0 and -0.0 are the same value.
        timestamp = time[1] + (time[2] or "").rstrip("0").rstrip(".") + "Z"
        trace = (headers.get("traceparent") or b"").decode().split("-")
        trace_id = trace[1] if len(trace) > 3 else None
        return (*names, timestamp, value + 0.0, reading["received_at"], trace_id)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        place = f"partition {message.partition()}, offset {message.offset()}"
        print(f"{place} is not a reading: {error!r}", file=sys.stderr, flush=True)
        return None


def milliseconds(text):
    return round(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


def parse_arguments():
    parser = argparse.ArgumentParser(description="Stores each reading of the topic once.")
    parser.add_argument("--brokers", required=True, help="host:port, separated by commas")
    parser.add_argument("--database", required=True, help="SQLite file")
    parser.add_argument("--group", default="readings-to-sqlite", help="consumer group")
    parser.add_argument("--from", dest="start", type=milliseconds, default=0, help="2026-11-21T06:00:00Z: start of a new group")
    parser.add_argument("--topic", default="cellarman.readings.v1")
    return parser.parse_args()


if __name__ == "__main__":
    main()
