"""Reads cellarman.readings.v1 and prints each reading once, as one line of JSON.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python consumer.py --brokers 127.0.0.1:9092

Python 3.9 or later. What the topic promises stands in docs/topic.md.
"""

import argparse
import json
import sys
from collections import OrderedDict
from pathlib import Path

from jsonschema import Draft202012Validator
from kafka import KafkaConsumer

SCHEMA = Path(__file__).parent / "../../json-schema/cellarman.readings.v1.json"

# A repetition comes within seconds when ingest or the sink retries, and later when a device sends again.
# A consumer with a database lets a unique key do this instead.
IDENTITIES_KEPT = 1_000_000


def main():
    options = parse_arguments()
    validator = Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    seen = OrderedDict()
    counts = {"read": 0, "printed": 0, "repeated": 0, "rejected": 0}

    consumer = KafkaConsumer(
        options.topic,
        bootstrap_servers=options.brokers.split(","),
        group_id=options.group,
        auto_offset_reset="earliest",
        enable_auto_commit=False,
    )
    ends = {}
    while not (options.until_end and at_end(consumer, ends)):
        for messages in consumer.poll(timeout_ms=500).values():
            for message in messages:
                counts["read"] += 1
                try:
                    reading = decode(message, validator)
                except ValueError as error:
                    counts["rejected"] += 1
                    where = f"partition {message.partition}, offset {message.offset}"
                    print(f"{where} holds no reading: {error}", file=sys.stderr)
                    continue
                if is_new(identity(reading), seen):
                    counts["printed"] += 1
                    print(json.dumps(reading, ensure_ascii=False))
                else:
                    counts["repeated"] += 1
        # Only now: a consumer that ends before this reads the same messages again and loses none.
        sys.stdout.flush()
        consumer.commit()
    consumer.close()
    print(json.dumps(counts), file=sys.stderr)


def decode(message, validator):
    """The reading in a message, or ValueError for anything else."""
    headers = {name: value.decode() for name, value in message.headers if value is not None}
    if headers.get("schema-version") != "1":
        raise ValueError("the header schema-version is not 1")
    # value is a double: 7 and 7.0 are the same, and NaN is not JSON.
    reading = json.loads(message.value or b"", parse_int=float, parse_constant=reject_constant)
    problem = next(validator.iter_errors(reading), None)
    if problem is not None:
        raise ValueError(problem.message)
    return reading


def reject_constant(name):
    raise ValueError(f"{name} is not JSON")


def identity(reading):
    """The five fields that make two messages the same reading; 06:30:00Z and 06:30:00.0Z are the same time."""
    seconds, _, fraction = reading["timestamp"].rstrip("Z").partition(".")
    return reading["cellar"], reading["rack"], reading["keg"], seconds, fraction.rstrip("0"), reading["value"]


def is_new(key, seen):
    if key in seen:
        seen.move_to_end(key)
        return False
    seen[key] = None
    if len(seen) > IDENTITIES_KEPT:
        seen.popitem(last=False)
    return True


def at_end(consumer, ends):
    """Whether everything has been read that a partition held when it was assigned. What comes later is not waited for."""
    partitions = consumer.assignment()
    new = partitions - ends.keys()
    if new:
        ends.update(consumer.end_offsets(list(new)))
    return bool(partitions) and all(consumer.position(partition) >= ends[partition] for partition in partitions)


def parse_arguments():
    parser = argparse.ArgumentParser(description="Prints each reading of the topic once.")
    parser.add_argument("--brokers", required=True, help="host:port, separated by commas")
    parser.add_argument("--topic", default="cellarman.readings.v1")
    parser.add_argument("--group", default="python-example", help="consumer group")
    parser.add_argument("--until-end", action="store_true", help="end at what the topic holds now")
    return parser.parse_args()


if __name__ == "__main__":
    main()
