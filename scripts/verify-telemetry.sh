#!/usr/bin/env bash
# Runs the product with a real OpenTelemetry Collector and looks whether the trace of a reading and the metrics and logs of every
# service arrive. The collector is built from its Go modules (some minutes the first time). No part of the test command.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PWD/node_modules/.bin:$PATH

version=v0.161.0
manifest=tests/observability/collector/builder.yaml
collector=$PWD/.local/bin/otelcol-$version
if [ ! -x "$collector" ] || [ "$manifest" -nt "$collector" ]; then
  aside=$(mktemp -d)
  trap 'rm -rf "$aside"' EXIT
  GOBIN=$aside CGO_ENABLED=0 go install "go.opentelemetry.io/collector/cmd/builder@$version"
  sed "s|^dist:|dist:\n  output_path: $aside/source|" "$manifest" > "$aside/builder.yaml"
  CGO_ENABLED=0 "$aside/builder" --config "$aside/builder.yaml"
  mkdir -p .local/bin
  mv "$aside/source/otelcol" "$collector"
fi
exec node tests/observability/collector/main.ts "$collector"
