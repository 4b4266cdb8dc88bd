#!/usr/bin/env bash
# Prints the lines of committed files in three groups, which do not overlap:
#   source                TypeScript outside of tests, bench and tools included
#   tests and fixtures    every file in a folder named `tests`
#   generated documents   what `npx -y pnpm@12 generate` writes: documents, the chart's schema, manifests
# Nothing else counts: the lock file, hand-written documents, Grafana dashboards, the chart's templates, SQL, shell scripts.
set -euo pipefail
cd "$(dirname "$0")/.."

GENERATED='^docs/(openapi|asyncapi|json-schema)/|^docs/(errors|configuration|licences|spec-coverage)\.md$'
GENERATED+='|^deploy/helm/cellarman/(README\.md|values\.schema\.json)$|^deploy/manifests/'
TESTS='(^|/)tests/'

files() { git ls-files; }
lines() { xargs --no-run-if-empty --delimiter='\n' cat | wc -l; }
printf '%-20s %6d\n' \
  source "$(files | grep -E '\.tsx?$' | grep -vE "$GENERATED|$TESTS" | lines)" \
  'tests and fixtures' "$(files | grep -E "$TESTS" | lines)" \
  'generated documents' "$(files | grep -E "$GENERATED" | lines)"
