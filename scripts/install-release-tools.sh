#!/usr/bin/env bash
# What scripts/verify-release.sh needs beside Docker, Go, Java, Python and Node, on Debian or Ubuntu. Then the packages of the project.
set -euo pipefail
cd "$(dirname "$0")/.."

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
as_root apt-get update
as_root apt-get install --yes --no-install-recommends etcd-server haproxy
npx -y pnpm@12 install --frozen-lockfile
