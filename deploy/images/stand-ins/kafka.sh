#!/bin/bash
# Starts Kafka as the official image does: KAFKA_… become server.properties, by Kafka's own class for it.
set -euo pipefail
run() { java -Dlog4j2.configurationFile=/etc/kafka/docker/log4j2.yaml -cp '/opt/kafka/libs/*' "$@"; }

run kafka.docker.KafkaDockerWrapper setup \
  --default-configs-dir /etc/kafka/docker --mounted-configs-dir /mnt/shared/config --final-configs-dir /opt/kafka/config
exec java -XX:+UseSerialGC -Xmx512m -Dlog4j2.configurationFile=/etc/kafka/docker/log4j2.yaml \
  -cp '/opt/kafka/libs/*' kafka.Kafka /opt/kafka/config/server.properties
