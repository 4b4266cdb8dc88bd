/* eslint-disable no-console -- the result goes to the terminal */
/**
 * Writes schemas.json, what Kubernetes takes for the kinds that the chart renders. Run it for another version of Kubernetes:
 *
 *   go mod download -json k8s.io/kubernetes@v1.36.3       # its "Dir" is the argument
 *   node tests/deploy/kubernetes/vendor-schemas.ts DIR
 */
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { format, resolveConfig } from 'prettier';

/** The files of the module's api/openapi-spec/v3 with the kinds in them. */
const KINDS: Record<string, readonly string[]> = {
  api__v1: ['v1 ConfigMap', 'v1 Pod', 'v1 Service', 'v1 ServiceAccount'],
  apis__apps__v1: ['apps/v1 Deployment'],
  apis__autoscaling__v2: ['autoscaling/v2 HorizontalPodAutoscaler'],
  apis__batch__v1: ['batch/v1 Job'],
  'apis__networking.k8s.io__v1': ['networking.k8s.io/v1 Ingress', 'networking.k8s.io/v1 NetworkPolicy'],
  apis__policy__v1: ['policy/v1 PodDisruptionBudget'],
};
/** Prose, and what matters to clients that change objects. */
const LEFT_OUT = /^(description|default|format|x-kubernetes-.*)$/;
const REFERENCE = '#/components/schemas/';

interface Schema {
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
  properties?: object;
  $ref?: string;
}

const [module] = process.argv.slice(2);
if (module === undefined)
  throw new Error('usage: vendor-schemas.ts DIR, where DIR is the module k8s.io/kubernetes');

const definitions: Record<string, unknown> = {};
const kinds: Record<string, string> = {};
for (const [file, wanted] of Object.entries(KINDS)) {
  const path = join(module, 'api', 'openapi-spec', 'v3', `${file}_openapi.json`);
  const { components } = JSON.parse(await readFile(path, 'utf8')) as {
    components: { schemas: Record<string, Schema> };
  };
  for (const kind of wanted) {
    const name = Object.keys(components.schemas).find((each) =>
      namesOf(components.schemas[each]).includes(kind),
    );
    if (name === undefined) throw new Error(`${path} has no ${kind}`);
    kinds[kind] = name;
    collect(name, components.schemas);
  }
}
const target = join(import.meta.dirname, 'schemas.json');
const document = {
  source: `${basename(module)} of the Go module k8s.io/kubernetes, Apache-2.0`,
  kinds,
  definitions,
};
const style = await resolveConfig(target);
await writeFile(target, await format(JSON.stringify(document), { ...style, parser: 'json' }));
console.log(`${Object.keys(kinds).length} kinds, ${Object.keys(definitions).length} definitions`);

function namesOf(schema: Schema | undefined): string[] {
  return (schema?.['x-kubernetes-group-version-kind'] ?? []).map(
    ({ group, version, kind }) => `${group === '' ? '' : `${group}/`}${version} ${kind}`,
  );
}

function collect(name: string, schemas: Record<string, Schema>): void {
  if (name in definitions) return;
  definitions[name] = null;
  definitions[name] = strict(schemas[name], (referred) => collect(referred, schemas));
}

/** Only the shape, and no field that is not named. */
function strict(value: unknown, onReference: (name: string) => void): unknown {
  if (Array.isArray(value)) return value.map((item) => strict(item, onReference));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (key === '$ref') {
      const name = String(inner).slice(REFERENCE.length);
      onReference(name);
      return [['$ref', `#/definitions/${name}`]];
    }
    if (key === 'properties') {
      const fields = Object.entries(inner as object).map(([field, schema]) => [
        field,
        strict(schema, onReference),
      ]);
      return [['properties', Object.fromEntries(fields)]];
    }
    return LEFT_OUT.test(key) ? [] : [[key, strict(inner, onReference)]];
  });
  const shape = Object.fromEntries(entries);
  return 'properties' in shape && !('additionalProperties' in shape)
    ? { ...shape, additionalProperties: false }
    : shape;
}
