#!/bin/bash
# Starts Kafka as the official image does: KAFKA_… become server.properties, by Kafka's own class for it.
set -euo pipefail
logs=-Dlog4j2.configurationFile=/etc/kafka/docker/log4j2.yaml

said=$(java "$logs" -cp '/opt/kafka/libs/*' kafka.docker.KafkaDockerWrapper setup --default-configs-dir /etc/kafka/docker \
  --mounted-configs-dir /mnt/shared/config --final-configs-dir /opt/kafka/config 2>&1) ||
  [[ $said == *'already formatted'* ]] || { echo "$said" && exit 1; }
exec java -XX:+UseSerialGC -Xmx512m "$logs" -cp '/opt/kafka/libs/*' kafka.Kafka /opt/kafka/config/server.properties
