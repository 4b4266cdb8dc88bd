"""Publishes messages to an MQTT broker with QoS 1, and ends when the broker has acknowledged all of them.

Arguments: the port of the broker. Standard input: one message to a line, as {"topic", "payload"}.
"""

import json
import sys

import paho.mqtt.client as mqtt

client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
client.max_inflight_messages_set(1_000)
client.connect("127.0.0.1", int(sys.argv[1]))
client.loop_start()
messages = [json.loads(line) for line in sys.stdin]
for sent in [client.publish(message["topic"], message["payload"], qos=1) for message in messages]:
    sent.wait_for_publish(30)
    if not sent.is_published():
        sys.exit("the broker has not acknowledged a message")
client.disconnect()
