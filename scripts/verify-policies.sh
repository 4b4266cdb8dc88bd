#!/usr/bin/env bash
# Holds what the chart renders, and the examples of engines, against the policies of kube-score, which is built from its Go module (a minute
# or two the first time). No part of the test command, which has policies of its own (tests/deploy/policies.ts).
set -euo pipefail
cd "$(dirname "$0")/.."

version=v1.20.0
kube_score=$PWD/.local/bin/kube-score-$version
export PATH="$PWD/node_modules/.bin:$PWD/.local/bin:$PATH"
node tests/deploy/helm/install.ts
if [ ! -x "$kube_score" ]; then
  aside=$(mktemp -d)
  GOBIN=$aside CGO_ENABLED=0 go install "github.com/zegl/kube-score/cmd/kube-score@$version"
  mv "$aside/kube-score" "$kube_score"
  rmdir "$aside"
fi

ignored=(
  # A process uses little more than a core, and a CPU limit would only stop it at bad moments (docs/deployment.md).
  --ignore-container-cpu-limit
  # The tag is a version and best a digest: the same image each time, also while the registry is away.
  --ignore-test container-image-pull-policy
  # The user of the image is 1000. User namespaces are the answer to a user of the node with that number.
  --ignore-test container-security-context-user-group-id
  # Nothing is written but logs, which the node rotates; a limit would evict pods for that.
  --ignore-test container-ephemeral-storage-request-and-limit
  # Topology spread constraints do it, without keeping a pod from starting.
  --ignore-test deployment-has-host-podantiaffinity
)

failed=0
score() {
  local name=$1
  shift
  if "$kube_score" score --kubernetes-version v1.34 --output-format ci --exit-one-on-warning "${ignored[@]}" "$@" - > .local/kube-score.txt; then
    printf '✓ %s\n' "$name"
  else
    printf '✗ %s\n' "$name"
    grep -vE '^\[(OK|SKIPPED)\]' .local/kube-score.txt || true
    failed=1
  fi
}

for values in default minimal large-fleet strict tls; do
  allowed=()
  # It has one replica of each and no policies: that is what it is for.
  [ "$values" = minimal ] && allowed=(--ignore-test pod-networkpolicy --ignore-test deployment-replicas)
  # The Deployments that something scales have no number of their own, which kube-score takes for one replica; of the canary there is one.
  [ "$values" = large-fleet ] && allowed=(--ignore-test deployment-replicas)
  # It takes the Service without a selector, where internal addresses end, for one that leads to the pod of `helm test`. That every Deployment
  # has its probes is in the tests.
  [[ "$values" =~ large-fleet|strict ]] && allowed+=(--ignore-test pod-probes)
  score "the chart with the values $values" "${allowed[@]}" < <(
    helm template cellarman deploy/helm/cellarman --namespace cellarman --values "deploy/helm/cellarman/ci/$values-values.yaml"
  )
done
# One Valkey at a time, as its file says.
score 'the examples' --ignore-test deployment-replicas --ignore-test deployment-strategy < <(for file in deploy/examples/*.yaml; do [ "$file" = deploy/examples/cellarman-values.yaml ] || { cat "$file"; echo ---; }; done)
exit "$failed"
