#!/usr/bin/env bash
# Installs, upgrades, rolls back and uninstalls the chart on a real Kubernetes API server, with Pod Security "restricted" enforced,
# and has the server judge deploy/examples by the definitions of the operators. It takes some minutes the first time, needs Go and etcd,
# and is no part of the test command.
#
# Definitions that cannot be downloaded may lie in a directory that OPERATOR_DEFINITIONS names; they go before all others.
#
# No controller and no kubelet runs, so this script plays their part where Helm waits for it: it says of the migration Jobs that they
# have ended, well or badly. Whether pods run is another matter.
set -euo pipefail
cd "$(dirname "$0")/.."

server=.local/kube-apiserver
chart=deploy/helm/cellarman
namespace=telemetry
export PATH="$PWD/node_modules/.bin:$PWD/.local/bin:$PATH"
export HELM_NAMESPACE=$namespace

say() { printf '✓ %s\n' "$*"; }
fail() { printf '✗ %s\n' "$*" >&2; exit 1; }
k() { kubectl --namespace "$namespace" "$@"; }

node tests/deploy/helm/install.ts
scripts/kube-apiserver.sh build "$server"
trap 'kill "${player:-}" 2> /dev/null || true; scripts/kube-apiserver.sh stop "$server"' EXIT
KUBECONFIG=$(scripts/kube-apiserver.sh start "$server")
export KUBECONFIG
say "Kubernetes $(kubectl version -o json | sed -n '/serverVersion/,$s/.*"gitVersion": "\(.*\)".*/\1/p'), $(helm version --template 'Helm {{ .Version }}')"

# What ends Jobs here: every 300 ms all that have not ended, as the file says.
outcome=$server/job-outcome
echo Complete > "$outcome"
end_jobs() {
  while sleep 0.3; do
    local now job target
    now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
    for job in $(k get jobs --output jsonpath='{range .items[*]}{.metadata.name}={.status.conditions[*].type}{"\n"}{end}' 2> /dev/null | sed -n 's/=$//p'); do
      if [ "$(cat "$outcome")" = Complete ]; then
        target='"succeeded":1,"completionTime":"'$now'","conditions":[{"type":"SuccessCriteriaMet","status":"True"},{"type":"Complete","status":"True"}]'
      else
        target='"failed":1,"conditions":[{"type":"FailureTarget","status":"True","reason":"BackoffLimitExceeded"},{"type":"Failed","status":"True","reason":"BackoffLimitExceeded"}]'
      fi
      k patch job "$job" --subresource=status --type=merge --patch '{"status":{"startTime":"'"$now"'",'"$target"'}}' > /dev/null || true
    done
  done
}

# A namespace as docs/deployment.md makes it, and one for the topics of Strimzi.
kubectl create namespace "$namespace" > /dev/null
kubectl label namespace "$namespace" pod-security.kubernetes.io/enforce=restricted > /dev/null
k create serviceaccount default > /dev/null
k create secret generic cellarman --from-literal=ingest-token=ingest0123456789 --from-literal=query-token=query0123456789 --from-literal=sink-token=sink0123456789ab \
  --from-literal=database-url=postgres://a:b@c/d --from-literal=redis-url=redis://e > /dev/null
kubectl create priorityclass telemetry --value=1000 > /dev/null
kubectl create namespace kafka > /dev/null
# The operators' own definitions, out of their Go modules: the module, then its files. Fails when the module cannot be had.
if [ -n "${OPERATOR_DEFINITIONS:-}" ]; then kubectl create --filename "$OPERATOR_DEFINITIONS" > /dev/null; fi
is_defined() { kubectl get crd "$1" > /dev/null 2>&1; }
definitions() {
  local module=$1 directory file
  shift
  directory=$(cd "$server" && go mod download -json "$module" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  [ -n "$directory" ] || return 1
  for file in "$@"; do kubectl create --filename "$directory/$file" > /dev/null; done
}
definitions github.com/kedacore/keda/v2@v2.21.0 config/crd/bases/keda.sh_scaledobjects.yaml
definitions sigs.k8s.io/gateway-api@v1.6.3 \
  config/crd/standard/gateway.networking.k8s.io_httproutes.yaml config/crd/standard/gateway.networking.k8s.io_backendtlspolicies.yaml
definitions github.com/prometheus-operator/prometheus-operator@v0.85.0 \
  example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml
definitions github.com/cloudnative-pg/cloudnative-pg@v1.30.0 \
  config/crd/bases/postgresql.cnpg.io_clusters.yaml config/crd/bases/postgresql.cnpg.io_scheduledbackups.yaml
definitions github.com/cert-manager/cert-manager@v1.21.2 deploy/crds/cert-manager.io_certificates.yaml deploy/crds/cert-manager.io_issuers.yaml
is_defined clickhouseinstallations.clickhouse.altinity.com ||
  definitions github.com/altinity/clickhouse-operator@release-0.25.6 \
    deploy/helm/clickhouse-operator/crds/CustomResourceDefinition-clickhouseinstallations.clickhouse.altinity.com.yaml || true
# Strimzi's are in no module. These are of io.strimzi:api and io.strimzi:crd-generator 1.2.0 (Maven Central), without descriptions and rules between
# fields: java -cp 'JARS/*' io.strimzi.crdgenerator.CrdGenerator --target-kube 1.16+ --crd-api-version v1 --api-versions v1 --storage-version v1 \
#   --yaml io.strimzi.api.kafka.model.topic.KafkaTopic=kafkatopic.yaml     and so on
is_defined kafkas.kafka.strimzi.io || kubectl create --filename scripts/strimzi-definitions.json > /dev/null
kubectl wait --for=condition=Established crd --all --timeout=30s > /dev/null
end_jobs & player=$!

# Pods are admitted one by one, so a pod is made of each template as its controller would, and only asked for.
admit_pods() {
  k get deployments --output json | node -e '
    const { items } = JSON.parse(require("fs").readFileSync(0, "utf8"));
    const pods = items.map(({ metadata, spec }) => ({
      apiVersion: "v1", kind: "Pod", metadata: { name: metadata.name, labels: spec.template.metadata.labels }, spec: spec.template.spec,
    }));
    console.log(JSON.stringify({ apiVersion: "v1", kind: "List", items: pods }));
  ' > "$server/pods.json"
  k create --dry-run=server --validate=strict --filename "$server/pods.json" | wc -l
}
deployed() { k get deployment "$1" --output jsonpath='{.spec.template.spec.containers[0].image}'; }
status() { helm status cellarman --output json | sed -n 's/.*"status":"\([a-z-]*\)".*/\1/p'; }

# The server rejects fields that it does not know, so a misspelt one is found.
judge() { kubectl apply --server-side --dry-run=server --validate=strict --filename "$1"; }
for values in default minimal large-fleet strict tls; do
  helm template cellarman "$chart" --namespace "$namespace" --values "$chart/ci/$values-values.yaml" > "$server/chart.yaml"
  judge "$server/chart.yaml" > "$server/accepted.txt"
  [ "$(wc -l < "$server/accepted.txt")" = "$(grep -c '^kind:' "$server/chart.yaml")" ] || fail "$values: not every object was judged"
done
if sed 's/^  replicas:/  replica:/' "$server/chart.yaml" | judge - > /dev/null 2>&1; then fail 'the server takes a misspelt field'; fi
say 'every object of the chart is accepted, with each of the values in ci, and a misspelt field is rejected'

helm install cellarman "$chart" --values "$chart/ci/default-values.yaml" --timeout 60s > /dev/null
[ "$(status)" = deployed ] || fail "the release is $(status)"
[ "$(admit_pods)" = 4 ] || fail 'not every pod is admitted'
[ -z "$(k get jobs,serviceaccounts --output name | grep migrate || true)" ] || fail 'a hook that went well left something'
say 'helm install with default values; Pod Security admits all four pods; the hooks left nothing'

sed 's/"runAsNonRoot": *true/"runAsNonRoot":false/' "$server/pods.json" > "$server/pods-as-root.json"
if k create --dry-run=server --filename "$server/pods-as-root.json" > /dev/null 2> "$server/rejected.txt"; then fail 'Pod Security admits a pod as root'; fi
grep -q 'violates PodSecurity "restricted' "$server/rejected.txt" || fail 'a pod as root is rejected for another reason'
say 'Pod Security rejects the same pods as root, so it was asked'

helm upgrade cellarman "$chart" --values "$chart/ci/default-values.yaml" --set image.tag=0.2.0 --timeout 60s > /dev/null
[ "$(deployed cellarman-ingest)" = cellarman:0.2.0 ] || fail 'the upgrade changed no image'
say 'helm upgrade to another image'

helm upgrade cellarman "$chart" --values "$chart/ci/large-fleet-values.yaml" --set fullnameOverride= --timeout 60s > /dev/null
[ "$(admit_pods)" = 5 ] || fail 'not every pod is admitted, with that of the canary'
k get horizontalpodautoscaler,scaledobject,httproute,ingress,servicemonitor,prometheusrule --output name > "$server/kinds.txt"
[ "$(wc -l < "$server/kinds.txt")" = 8 ] || fail "optional objects are missing: $(cat "$server/kinds.txt")"
say 'helm upgrade with everything on'

helm rollback cellarman 2 --timeout 60s > /dev/null
[ "$(deployed cellarman-ingest)" = cellarman:0.2.0 ] || fail 'the rollback did not bring the image back'
[ -z "$(k get horizontalpodautoscaler,ingress,httproute --output name)" ] || fail 'the rollback left optional objects'
say 'helm rollback to the revision before'

echo Failed > "$outcome"
if helm upgrade cellarman "$chart" --values "$chart/ci/default-values.yaml" --set image.tag=0.3.0 --timeout 60s > /dev/null 2> "$server/failed.txt"; then
  fail 'the upgrade goes on after a failed migration'
fi
grep -q 'pre-upgrade hooks failed' "$server/failed.txt" || fail "the upgrade failed otherwise: $(cat "$server/failed.txt")"
[ "$(deployed cellarman-ingest)" = cellarman:0.2.0 ] || fail 'a failed migration changed the pods'
k get job cellarman-migrate-keys > /dev/null || fail 'the failed Job is gone, and its log with it'
say 'a failed migration stops the upgrade, touches no pod, and stays for its log'
echo Complete > "$outcome"
helm upgrade cellarman "$chart" --values "$chart/ci/default-values.yaml" --set image.tag=0.3.0 --timeout 60s > /dev/null
[ "$(deployed cellarman-ingest)" = cellarman:0.3.0 ] || fail 'the second try changed no image'
[ -z "$(k get jobs --output name)" ] || fail 'the failed Job is still there'
say 'the same upgrade, tried again, goes through'

helm uninstall cellarman --timeout 60s > /dev/null
kinds=$(kubectl api-resources --verbs=list --namespaced --output name | grep -v '^events' | paste -sd,)
[ -z "$(k get "$kinds" --selector app.kubernetes.io/instance=cellarman --output name 2> /dev/null)" ] || fail 'helm uninstall left objects'
k get secret cellarman > /dev/null || fail 'helm uninstall took the Secret'
[ "$(kubectl --namespace kafka get kafkatopics --output name | wc -l)" = 2 ] || fail 'the topics are gone, and the readings with them'
say 'helm uninstall leaves nothing but the Secret that was there before, and the topics'

sed "s/namespace: cellarman/namespace: $namespace/" deploy/manifests/*.yaml | kubectl apply --dry-run=server --validate=strict --filename - > "$server/plain.txt"
say "the plain manifests: $(wc -l < "$server/plain.txt") objects are accepted"

# The examples of engines, in the namespaces that their README makes. Nothing is stored.
kubectl create namespace cellarman > /dev/null
kubectl --namespace cellarman create serviceaccount default > /dev/null
kubectl --namespace kafka delete kafkatopics --all > /dev/null
# $1: the file, $2: what must be defined, $3: a change that must be rejected, $4: the field that it is rejected for.
judge_example() {
  local file=deploy/examples/$1 count
  if [ -n "$2" ] && ! is_defined "$2"; then
    [ -z "${CI:-}" ] || fail "$1: the definition of $2 is missing"
    printf '– %s: the definition of %s cannot be had here\n' "$1" "$2"
    return
  fi
  judge "$file" > "$server/examples.txt"
  count=$(wc -l < "$server/examples.txt")
  [ "$count" = "$(grep -c '^kind:' "$file")" ] || fail "$1: not every object was judged"
  if sed "$3" "$file" | judge - > /dev/null 2> "$server/rejected.txt"; then fail "$1: the server takes $3"; fi
  grep -q "$4" "$server/rejected.txt" || fail "$1: rejected for another reason: $(cat "$server/rejected.txt")"
  say "$1: $count objects are accepted, and a wrong $4 is rejected"
}
judge_example kafka-strimzi.yaml kafkas.kafka.strimzi.io 's/type: internal/type: inside/' listeners
judge_example postgres-cloudnative-pg.yaml clusters.postgresql.cnpg.io 's/dataDurability: required/dataDurability: maybe/' dataDurability
judge_example clickhouse-altinity.yaml clickhouseinstallations.clickhouse.altinity.com 's/shardsCount: 1/shardsCount: one/' shardsCount
judge_example valkey.yaml '' 's/containerPort: 6379/containerPort: 99999/' containerPort
judge_example certificates-cert-manager.yaml certificates.cert-manager.io 's/algorithm: ECDSA/algorithm: XYZ/' algorithm
helm template cellarman "$chart" --namespace cellarman --values deploy/examples/cellarman-values.yaml > "$server/chart.yaml"
judge "$server/chart.yaml" > "$server/examples.txt"
say "the chart with the values beside the examples: $(wc -l < "$server/examples.txt") objects are accepted"
