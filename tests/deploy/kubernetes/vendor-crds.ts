/* eslint-disable no-console -- the result goes to the terminal */
/**
 * Writes crds.json, what operators take for their kinds that the chart or deploy/examples have, out of CustomResourceDefinitions:
 *
 *   node tests/deploy/kubernetes/vendor-crds.ts FILE…
 *
 * Those of Go modules are in what `go mod download -json MODULE@VERSION` calls "Dir":
 *   github.com/kedacore/keda/v2@v2.21.0                         config/crd/bases/keda.sh_scaledobjects.yaml
 *   sigs.k8s.io/gateway-api@v1.6.3                              config/crd/standard/gateway.networking.k8s.io_{httproutes,backendtlspolicies}.yaml
 *   github.com/prometheus-operator/prometheus-operator@v0.85.0  example/prometheus-operator-crd/monitoring.coreos.com_{servicemonitors,prometheusrules}.yaml
 *   github.com/cert-manager/cert-manager@v1.19.1                deploy/crds/cert-manager.io_{certificates,issuers}.yaml
 * Strimzi's come out of its classes, io.strimzi:api and io.strimzi:crd-generator 1.2.0 of Maven Central, with Java 21:
 *   java -cp 'JARS/*' io.strimzi.crdgenerator.CrdGenerator --target-kube 1.16+ --crd-api-version v1 --api-versions v1 \
 *     --storage-version v1 --yaml io.strimzi.api.kafka.model.topic.KafkaTopic=kafkatopic.yaml     and so on
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

interface CustomResourceDefinition {
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; storage: boolean; schema: { openAPIV3Schema: object } }[];
  };
}

const SOURCES =
  'keda v2.21.0, gateway-api v1.6.3, prometheus-operator v0.85.0, cert-manager v1.19.1 (Go modules) and io.strimzi:api 1.2.0 (Maven), all Apache-2.0';
/** Prose, and what only clients look at. CEL rules are for an API server. */
const LEFT_OUT =
  /^(description|default|example|x-kubernetes-(validations|list-.*|map-type|embedded-resource))$/;

const kinds: Record<string, unknown> = {};
for (const file of process.argv.slice(2)) {
  const { spec } = parse(await readFile(file, 'utf8')) as CustomResourceDefinition;
  for (const { name, storage, schema } of spec.versions) {
    if (storage) kinds[`${spec.group}/${name} ${spec.names.kind}`] = strict(schema.openAPIV3Schema, true);
  }
}
await writeFile(
  join(import.meta.dirname, 'crds.json'),
  `${JSON.stringify({ source: SOURCES, kinds: Object.fromEntries(Object.entries(kinds).sort()) })}\n`,
);
console.log(Object.keys(kinds).join('\n'));

/** Only the shape, and no field that is not named, unless the definition says that it keeps them. */
function strict(schema: unknown, isRoot = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => strict(item));
  if (typeof schema !== 'object' || schema === null) return schema;
  const shape = Object.fromEntries(
    Object.entries(schema).flatMap(([key, inner]): [string, unknown][] => {
      if (key === 'properties') {
        const fields = Object.entries(inner as object).filter(([field]) => !isRoot || field !== 'status');
        return [['properties', Object.fromEntries(fields.map(([field, each]) => [field, strict(each)]))]];
      }
      // JavaScript has no (?i).
      const isGo = key === 'pattern' && String(inner).includes('(?i)');
      return isGo || LEFT_OUT.test(key) ? [] : [[key, strict(inner)]];
    }),
  );
  if (shape['x-kubernetes-int-or-string'] === true) return { type: ['integer', 'string'] };
  const keepsUnknown = shape['x-kubernetes-preserve-unknown-fields'] === true;
  // Kubernetes checks metadata by itself.
  const isOpen = keepsUnknown || !('properties' in shape) || 'additionalProperties' in shape;
  return isOpen ? shape : { ...shape, additionalProperties: false };
}
