#!/usr/bin/env bash
# Everything that a release is held against, one step after the other; some hours in all.
#
#   scripts/verify-release.sh                      every step
#   scripts/verify-release.sh policies images      these
#   scripts/verify-release.sh --again policies     also what has passed already
#   scripts/verify-release.sh --table              what is known, without running anything
#
# A step that has passed is remembered for the commit, so after an interruption call it again. Logs and the table that it ends with are
# in .local/verify-release/COMMIT. What the steps need: docs/release.md. A step whose needs this machine has not is not run, and the
# table says so; in CI that is a failure. Exit code: 0, 1 when a step failed or has not run, 2 for wrong arguments.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
PATH=$PWD/node_modules/.bin:$PATH

# Changes that are not committed are another state, apart from what steps themselves write: transcripts and records.
changes=$(git status --porcelain -- . ':!docs'; git diff HEAD -- . ':!docs')
state=$(git rev-parse --short=10 HEAD)
[ -z "$changes" ] || state=$state-changed-$(git hash-object --stdin <<< "$changes" | cut -c1-6)
records=.local/verify-release/$state
mkdir -p "$records"

wanted=() again='' only_table=''
for argument in "$@"; do
  case $argument in
    --again) again=1 ;;
    --table) only_table=1 ;;
    *) wanted+=("$argument") ;;
  esac
done

# What a step may need, and how to tell that it is missing.
lacks() {
  case $1 in
    docker) docker info > /dev/null 2>&1 || echo 'no Docker engine answers' ;;
    compose) docker compose version > /dev/null 2>&1 || echo 'the Compose plugin is not installed' ;;
    etcd | go | haproxy | java | python3) command -v "$1" > /dev/null || echo "$1 is not installed" ;;
    packages) [ -d node_modules/.pnpm ] || echo '`npx -y pnpm@12 install` comes first' ;;
  esac
}

# Processes that a step has started carry its mark in their environment, which Linux shows.
left_of() {
  [ -d /proc/self ] || return 0
  local file pid
  for file in $(grep -lsz "^CELLARMAN_STEP=$1\$" /proc/[0-9]*/environ 2> /dev/null); do
    pid=${file//[!0-9]/}
    # One that has ended and that nobody has collected is none.
    grep -qs '^State:.[^Z]' "/proc/$pid/status" && echo "$pid"
  done
}
# Watchdogs have a minute for what they stop. What is there after it is told and killed.
nothing_is_left() {
  local pid left
  for _ in $(seq 60); do
    left=$(left_of "$1")
    [ -n "$left" ] || return 0
    sleep 1
  done
  for pid in $left; do
    echo "✗ this process was left: $(tr '\0' ' ' < "/proc/$pid/cmdline" | cut -c1-150)"
    kill -KILL "$pid"
  done
  return 1
}

running='' mark=''
# Whoever stops the script stops the step with all that it has started.
stop() {
  [ -n "$running" ] || exit 130
  kill -TERM -- "-$running" 2> /dev/null
  nothing_is_left "$mark"
  kill -KILL -- "-$running" 2> /dev/null
  exit 130
}
trap stop INT TERM HUP

keep() { printf '%s\t%s\t%s\t%s\n' "$2" "$3" "$(date --utc +'%F %H:%M')" "${4:-}" > "$records/$1.record"; }

# $1: name, $2: needs, $3: command.
run() {
  local name=$1 need reason='' outcome=0 begun=$SECONDS log=$records/$1.log unasked
  if [ -z "$again" ] && grep -qs '^passed' "$records/$name.record"; then
    printf '✓ %s: has passed already\n' "$name"
    return
  fi
  for need in $2; do reason=${reason:-$(lacks "$need")}; done
  if [ -n "$reason" ]; then
    keep "$name" 'not possible here' - "$reason"
    printf '– %s: %s\n' "$name" "$reason"
    return
  fi
  printf '… %s, its log: %s\n' "$name" "$log"
  mark=$name-$$
  # A process group of its own, which can be ended as a whole.
  set -m
  (
    set -e
    export CELLARMAN_STEP=$mark
    $3
  ) > "$log" 2>&1 < /dev/null &
  running=$!
  set +m
  wait "$running" || outcome=$?
  running=''
  nothing_is_left "$mark" >> "$log" || outcome=${outcome/#0/1}
  # What a step could not ask for here it says with a dash.
  unasked=$(sed -n 's/^– //p' "$log" | tr '|' '/' | paste -sd';' | sed 's/;/; /g')
  if [ "$outcome" -eq 0 ]; then
    keep "$name" passed $((SECONDS - begun)) "${unasked:+not here: $unasked}"
    printf '✓ %s (%d s)\n' "$name" $((SECONDS - begun))
  else
    keep "$name" failed $((SECONDS - begun)) "exit code $outcome"
    printf '✗ %s (%d s), exit code %d:\n' "$name" $((SECONDS - begun)) "$outcome"
    tail -n 40 "$log" | sed 's/^/    /'
  fi
}

tests_on_containers() {
  scripts/provide-images.sh
  # Testcontainers' own image would remove them; here this does, whatever happens.
  export TEST_ENGINES=containers TESTCONTAINERS_RYUK_DISABLED=true
  trap 'docker ps --all --quiet --filter "label=cellarman.step=$CELLARMAN_STEP" | xargs -r docker rm --force --volumes > /dev/null' EXIT
  # Those of the local stack start their own engines as processes, and are part of the test command.
  vitest run --project integration services libs/kafka tools tests/contract tests/keys tests/query
}

# Each call plays one part anew and records it.
rolling_restarts() {
  local part before
  for part in 'first 50' 'second 50'; do
    before=$(wc -l < docs/reliability.jsonl)
    node tests/faults/main.ts rolling-restarts --again --part "$part"
    [ "$(wc -l < docs/reliability.jsonl)" -gt "$before" ] || { echo "the part $part was not played"; return 1; }
  done
}

# One a line: name | what it needs | what runs | what it holds.
steps=$(
  cat << 'STEPS'
supply-chain | packages go | scripts/verify-supply-chain.sh | packages without known weaknesses, no secret in the history, sound workflows
policies | packages go | scripts/verify-policies.sh | the chart and the examples keep the policies of kube-score
chart | packages go etcd | scripts/verify-chart-on-api-server.sh | install, upgrade, roll back, uninstall on a real API server; it takes the examples
images | packages docker compose | scripts/verify-images.sh | every image is built, looked into and run with docker-compose.yml
containers | packages docker java | tests_on_containers | the integration tests on engines in containers
migrations | packages java | vitest run --project deep tests/migrations | migrations forward and backward by one version
backup | packages java python3 | node tests/backup/main.ts | databases and topics are lost and put back
alerts | packages java | node tests/observability/rehearse/main.ts | each alert fires, and the steps of its runbook end it
rolling-restarts | packages java haproxy | rolling_restarts | 100 rolling restarts lose nothing and fail no request
telemetry | packages java go | scripts/verify-telemetry.sh | traces, metrics and logs over OTLP
tests | packages java | node tests/run.ts | the test command
STEPS
)
names=$(sed 's/ | .*//' <<< "$steps")

for name in "${wanted[@]}"; do
  grep -qx "$name" <<< "$names" && continue
  echo "There is no step $name. There are:" $names >&2
  exit 2
done
is_wanted() { [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $1 "* ]]; }

# Each line on a descriptor of its own, so that no step reads the next one.
while IFS='|' read -r name needs command _ <&3; do
  name=${name% }
  if [ -z "$only_table" ] && is_wanted "$name"; then run "$name" "$needs" "${command# }"; fi
done 3<<< "$steps"

table() {
  local name what outcome seconds when note
  printf '| step | what it holds | result | took | when (UTC) | note |\n| --- | --- | --- | --- | --- | --- |\n'
  while IFS='|' read -r name _ _ what; do
    name=${name% } outcome='has not run' seconds=- when=- note=''
    [ ! -e "$records/$name.record" ] || IFS=$'\t' read -r outcome seconds when note < "$records/$name.record"
    [ "$seconds" = - ] || seconds="$((seconds / 60)) min $((seconds % 60)) s"
    printf '| %s |%s | %s | %s | %s | %s |\n' "$name" "$what" "$outcome" "$seconds" "$when" "$note"
  done <<< "$steps"
}
printf '\nAt %s:\n\n' "$state"
table | tee "$records/table.md"

for name in $names; do
  is_wanted "$name" || continue
  case $(cut -f1 "$records/$name.record" 2> /dev/null) in
    passed) ;;
    'not possible here') [ -z "${CI:-}" ] || exit 1 ;;
    *) exit 1 ;;
  esac
done
