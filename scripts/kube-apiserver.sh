#!/usr/bin/env bash
# A real Kubernetes API server on this machine, without Docker and without a cluster: built from the Go module k8s.io/kubernetes
# (some minutes, 150 MB), storing in etcd, which Debian has as `etcd-server`. It checks, admits and stores objects; nothing
# schedules or runs pods.
#
# usage: kube-apiserver.sh build|start|stop DIR      start prints the KUBECONFIG
set -euo pipefail

version=${KUBERNETES_VERSION:-v1.36.3}
dir=${2:?DIR}
mkdir -p "$dir"
cd "$dir"

free_port() { node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'; }

build() {
  [ -x kube-apiserver ] && [ "$(cat version 2>/dev/null)" = "$version" ] && return
  mkdir -p src
  cd src
  cat > main.go <<'GO'
package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() { os.Exit(cli.Run(app.NewAPIServerCommand())) }
GO
  rm -f go.mod go.sum
  go mod init kube-apiserver
  mod=$(go mod download -json "k8s.io/kubernetes@$version" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
  # The staging modules are replaced by their published twins: k8s.io/api v0.36.3 for Kubernetes v1.36.3.
  sed -n 's|^[[:space:]]*\(k8s.io/[a-z-]*\) => ./staging.*|\1|p' "$mod" | while read -r module; do
    go mod edit -replace "$module=$module@v0${version#v1}"
  done
  go mod edit -require "k8s.io/kubernetes@$version"
  go mod tidy
  # Without it the server calls itself v0.0.0, and Helm rejects the chart.
  go build -ldflags "-X k8s.io/component-base/version.gitVersion=$version" -o ../kube-apiserver .
  cd ..
  echo "$version" > version
}

start() {
  command -v etcd > /dev/null || { echo 'etcd is missing: apt-get install etcd-server' >&2; exit 1; }
  rm -rf etcd certs
  local client peer secure
  client=$(free_port) peer=$(free_port) secure=$(free_port)
  openssl genrsa -out sa.key 2048 2> /dev/null
  echo 'test-token,admin,1,"system:masters"' > tokens.csv
  etcd --data-dir etcd --listen-client-urls "http://127.0.0.1:$client" --advertise-client-urls "http://127.0.0.1:$client" \
    --listen-peer-urls "http://127.0.0.1:$peer" > etcd.log 2>&1 &
  echo $! > etcd.pid
  ./kube-apiserver --etcd-servers="http://127.0.0.1:$client" --secure-port="$secure" --bind-address=127.0.0.1 --cert-dir=certs \
    --service-account-issuer=https://test --service-account-key-file=sa.key --service-account-signing-key-file=sa.key \
    --token-auth-file=tokens.csv --authorization-mode=RBAC --service-cluster-ip-range=10.99.0.0/24 > api.log 2>&1 &
  echo $! > api.pid
  cat > kubeconfig <<CONFIG
apiVersion: v1
kind: Config
clusters: [{ name: c, cluster: { server: 'https://127.0.0.1:$secure', insecure-skip-tls-verify: true } }]
users: [{ name: u, user: { token: test-token } }]
contexts: [{ name: x, context: { cluster: c, user: u } }]
current-context: x
CONFIG
  for _ in $(seq 120); do
    if curl -fsk -o /dev/null -H 'Authorization: Bearer test-token' "https://127.0.0.1:$secure/readyz"; then
      echo "$PWD/kubeconfig"
      return
    fi
    kill -0 "$(cat api.pid)" 2> /dev/null || break
    sleep 0.5
  done
  tail -5 api.log >&2
  exit 1
}

# The API server first: without etcd it would not end.
stop() {
  local file pid
  for file in api.pid etcd.pid; do
    [ -e "$file" ] || continue
    pid=$(cat "$file")
    kill "$pid" 2> /dev/null || true
    for _ in $(seq 50); do
      kill -0 "$pid" 2> /dev/null || break
      sleep 0.2
    done
    kill -9 "$pid" 2> /dev/null || true
    rm -f "$file"
  done
}

case $1 in
  build | start | stop) "$1" ;;
  *) echo 'usage: kube-apiserver.sh build|start|stop DIR' >&2; exit 2 ;;
esac
