#!/bin/sh
# Sends one reading for each line of the input, which is a number: read-sensor | ./send.sh RACK KEG
# CELLARMAN_URL, API_KEY and CELLAR are environment variables.
while read -r value; do
  timestamp=$(date -u +%Y-%m-%dT%H:%M:%S.%NZ)
  printf '{"cellar":"%s","rack":"%s","keg":"%s","value":%s,"timestamp":"%s"}' \
    "$CELLAR" "$1" "$2" "$value" "$timestamp" |
    # Retries everything but a 4xx, and waits Retry-After. The timestamp stays the same.
    curl --silent --show-error --fail --output /dev/null --data-binary @- \
      --retry 1000 --retry-all-errors --retry-max-time 3600 \
      --header 'Content-Type: application/json' --header "X-API-Key: $API_KEY" \
      "$CELLARMAN_URL/api/v1/ingest" || echo "not stored: $value $timestamp" >&2
done
