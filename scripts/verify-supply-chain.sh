#!/usr/bin/env bash
# What others could have brought in: known weaknesses in packages, secrets in the history, workflows that do more than they should.
# Needs Go, whose modules two of the programs are built from, and the npm registry for what is known of packages. The licences
# of packages are part of the test command.
set -euo pipefail
cd "$(dirname "$0")/.."

bin=$PWD/.local/bin
gitleaks=github.com/zricethezav/gitleaks/v8@v8.30.1
actionlint=github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

failed=0
# A check that ends with 2 could not be made. In CI that is a failure.
check() {
  local name=$1 outcome=0
  shift
  "$@" || outcome=$?
  case $outcome in
    0) printf '✓ %s\n' "$name" ;;
    2) printf '– %s: not checked\n' "$name" && [ -z "${CI:-}" ] || failed=1 ;;
    *) printf '✗ %s\n' "$name" && failed=1 ;;
  esac
}

# Builds a Go module into .local/bin, once for each version, and prints the path.
built() {
  local name=$1 module=$2 program
  program=$bin/$name-${module##*@}
  if [ ! -x "$program" ]; then
    local aside
    aside=$(mktemp -d)
    GOBIN=$aside CGO_ENABLED=0 go install "$module" >&2
    mkdir -p "$bin"
    mv "$aside"/* "$program"
    rmdir "$aside"
  fi
  echo "$program"
}

# A mirror of the registry may not know what is known of packages.
no_known_weakness() {
  local answer
  answer=$(npx -y pnpm@12 audit --audit-level low 2>&1) && return
  printf '%s\n' "$answer"
  grep -q ERR_PNPM_AUDIT_BAD_RESPONSE <<< "$answer" && return 2
  return 1
}

no_addresses_in_the_lockfile() { ! grep -nE 'tarball:|://' pnpm-lock.yaml; }

check 'no package comes from elsewhere than the registry (pnpm-lock.yaml)' no_addresses_in_the_lockfile
check 'no package has a known weakness (pnpm audit)' no_known_weakness
check 'no secret is in the history (gitleaks, .gitleaks.toml)' \
  "$(built gitleaks "$gitleaks")" git --config .gitleaks.toml --no-banner --redact --verbose --log-level warn .
check 'the workflows are sound (actionlint)' "$(built actionlint "$actionlint")" .github/workflows/*.yml
exit "$failed"
