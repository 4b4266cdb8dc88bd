"""Forwards MQTT messages to Cellarman, and acknowledges each to the broker only when ingest has stored it.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    API_KEY=cm_… venv/bin/python bridge.py --broker localhost --topic 'demo/+/+' --ingest http://localhost:4000

Python 3.9 or later. docs/mqtt.md describes topics, messages and the settings of the broker.
"""

import argparse
import http.client
import json
import os
import queue
import random
import sys
import time
from urllib.parse import urlsplit

import paho.mqtt.client as mqtt

BATCH_READINGS = 1_000
BATCH_BYTES = 1_000_000
# A batch is complete when nothing has come for this long. The broker sends only a few unacknowledged messages ahead.
QUIET_SECONDS = 0.02
ANSWER_SECONDS = 15
BATCH_IS_REJECTED = (400, 413)
LONGEST_WAIT_SECONDS = 60


class Bridge:
    def __init__(self, options):
        self.options = options
        self.messages = queue.Queue()
        self.rejected = open(options.rejected, "ab")
        self.connection = 0
        self.client = mqtt.Client(
            mqtt.CallbackAPIVersion.VERSION2,
            options.client_id,
            clean_session=False,  # the broker keeps what comes while the bridge is away
            manual_ack=True,
        )
        self.client.on_connect = self.on_connect
        self.client.on_disconnect = lambda *event: log("the broker is away:", event[3])
        self.client.on_message = lambda _client, _data, message: self.messages.put((self.connection, message))
        self.client.on_subscribe = on_subscribe
        if options.tls:
            self.client.tls_set()
        if "MQTT_USERNAME" in os.environ:
            self.client.username_pw_set(os.environ["MQTT_USERNAME"], os.environ.get("MQTT_PASSWORD"))
        self.client.connect_async(options.broker, options.port)
        self.client.loop_start()

    def on_connect(self, client, _data, _flags, reason, _properties):
        log("connected to the broker:", reason)
        # What was not acknowledged comes again, under ids that later stand for other messages.
        self.connection += 1
        client.subscribe(self.options.topic, qos=1)

    def run(self):
        while True:
            self.forward(self.gather())

    def gather(self):
        batch, size = [self.messages.get()], 0
        while len(batch) < BATCH_READINGS and size < BATCH_BYTES:
            try:
                batch.append(self.messages.get(timeout=QUIET_SECONDS))
                size += len(batch[-1][1].payload)
            except queue.Empty:
                break
        return batch

    def forward(self, batch):
        """Sends messages again until each is stored or rejected for good."""
        attempt = 0
        while batch:
            status, response, retry_after = self.post(b"\n".join(line_of(message) for _, message in batch))
            if status in BATCH_IS_REJECTED and "accepted" not in response and len(batch) > 1:
                # One message can make a batch unacceptable: find it.
                middle = len(batch) // 2
                self.forward(batch[:middle])
                self.forward(batch[middle:])
                return
            batch = self.settle(batch, status, response)
            if batch:
                log(f"{len(batch)} readings are sent again, ingest said {status}:", response.get("error", response))
                wait = min(LONGEST_WAIT_SECONDS, 2**attempt) * (0.5 + random.random() / 2)
                time.sleep(max(retry_after, wait))
                attempt = min(attempt + 1, 10)

    def post(self, body):
        """The status, the parsed body and Retry-After. Status 0 is no response, {} a body that is not ours."""
        url = urlsplit(self.options.ingest)
        connect = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        connection = connect(url.netloc, timeout=ANSWER_SECONDS)
        headers = {"Content-Type": "application/x-ndjson", "X-API-Key": os.environ["API_KEY"]}
        try:
            connection.request("POST", f"{url.path.rstrip('/')}/api/v1/ingest/batch", body, headers)
            response = connection.getresponse()
            retry_after = response.getheader("Retry-After", "")
            text = response.read()
            return response.status, parsed(text), int(retry_after) if retry_after.isdigit() else 0
        except (OSError, http.client.HTTPException) as error:
            return 0, {"error": str(error)}, 0
        finally:
            connection.close()

    def settle(self, batch, status, response):
        """Acknowledges what is stored or rejected for good. Returns the rest."""
        if "accepted" in response:
            errors = {error["index"]: error for error in response.get("errors", [])}
        elif status in BATCH_IS_REJECTED and "code" in response:
            errors = {0: {**response, "retryable": False}}
        else:
            return batch
        again = []
        for index, (connection, message) in enumerate(batch):
            if index in errors and errors[index]["retryable"]:
                again.append((connection, message))
                continue
            if index in errors:
                self.reject(message, errors[index])
            if connection == self.connection:
                self.client.ack(message.mid, message.qos)
        return again

    def reject(self, message, error):
        """Keeps what would be rejected again, for a person to look at, on the disk before the broker forgets it."""
        entry = {"topic": message.topic, "payload": message.payload.decode("utf-8", "backslashreplace")}
        entry.update(code=error["code"], error=error["error"])
        self.rejected.write(json.dumps(entry).encode() + b"\n")
        self.rejected.flush()
        os.fsync(self.rejected.fileno())


def line_of(message):
    """The message as a line of NDJSON. Ingest validates it, and the digits of its value stay as they are."""
    payload = message.payload.replace(b"\n", b" ").strip()
    if not payload.startswith(b"{"):
        return payload or b"null"
    names = dict(zip(("cellar", "rack", "keg"), message.topic.split("/", 2)))
    return json.dumps(names)[:-1].encode() + b"," + payload[1:]


def parsed(text):
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def on_subscribe(_client, _data, _mid, reasons, _properties):
    if any(reason.is_failure for reason in reasons):
        log("the broker rejects the subscription:", *reasons)


def log(*words):
    print(*words, file=sys.stderr, flush=True)


def parse_arguments():
    parser = argparse.ArgumentParser(description="Forwards MQTT messages to Cellarman. API_KEY has the key.")
    parser.add_argument("--ingest", required=True, help="URL of ingest")
    parser.add_argument("--topic", required=True, help="topic filter; topics are cellar/rack/keg")
    parser.add_argument("--broker", required=True, help="host")
    parser.add_argument("--port", type=int, default=1883)
    parser.add_argument("--tls", action="store_true", help="to the broker; its certificate is verified")
    parser.add_argument("--client-id", default="cellarman-bridge", help="names the session that the broker keeps")
    parser.add_argument("--rejected", default="rejected.jsonl", help="file for messages that are rejected for good")
    return parser.parse_args()


if __name__ == "__main__":
    Bridge(parse_arguments()).run()
