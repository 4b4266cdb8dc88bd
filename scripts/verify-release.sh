#!/usr/bin/env bash
# Everything that a release is held against beside the test command, one after the other; some hours. Names limit it:
# `scripts/verify-release.sh policies images`. What each one said is in .local/verify-release. What it needs: docs/testing.md.
set -uo pipefail
cd "$(dirname "$0")/.."
PATH=$PWD/node_modules/.bin:$PATH

logs=.local/verify-release
mkdir -p "$logs"
failed=0
wanted=("$@")

is_wanted() {
  [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $1 "* ]]
}

step() {
  local name=$1 outcome=0 begun=$SECONDS
  shift
  is_wanted "$name" || return 0
  "$@" > "$logs/$name.log" 2>&1 || outcome=$?
  if [ $outcome -eq 0 ]; then
    printf '✓ %s (%d s)\n' "$name" $((SECONDS - begun))
  else
    printf '✗ %s (%d s), exit code %d: %s\n' "$name" $((SECONDS - begun)) $outcome "$logs/$name.log"
    failed=1
  fi
}

step supply-chain scripts/verify-supply-chain.sh
step policies scripts/verify-policies.sh
step chart scripts/verify-chart-on-api-server.sh
step images scripts/verify-images.sh
step backup node tests/backup/main.ts
step alerts node tests/observability/rehearse/main.ts
step rolling-restarts node tests/faults/main.ts rolling-restarts
step telemetry-cost node bench/main.ts telemetry-cost
exit $failed
