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
check() {
  local name=$1
  shift
  if "$@"; then printf '✓ %s\n' "$name"; else
    printf '✗ %s\n' "$name"
    failed=1
  fi
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

# A mirror of the registry may not know what is known of packages. That is told, and in CI it is a failure.
no_known_weakness() {
  local answer
  answer=$(npx -y pnpm@12 audit --audit-level low 2>&1) && return
  if grep -q ERR_PNPM_AUDIT_BAD_RESPONSE <<< "$answer"; then
    printf '  not checked: the registry has no answer to pnpm audit\n'
    [ -z "${CI:-}" ]
    return
  fi
  printf '%s\n' "$answer"
  return 1
}

no_addresses_in_the_lockfile() { ! grep -nE 'tarball:|https?://' pnpm-lock.yaml; }

check 'no package comes from elsewhere than the registry (pnpm-lock.yaml)' no_addresses_in_the_lockfile
check 'no package has a known weakness (pnpm audit)' no_known_weakness
check 'no secret is in the history (gitleaks, .gitleaks.toml)' \
  "$(built gitleaks "$gitleaks")" git --config .gitleaks.toml --no-banner --redact --verbose --log-level warn .
check 'the workflows are sound (actionlint)' "$(built actionlint "$actionlint")" .github/workflows/*.yml
exit "$failed"
