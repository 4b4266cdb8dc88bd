import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Helm } from '../helm/helm.ts';
import { CHART } from './paths.ts';

/** The parts of an object of Kubernetes that the tests look at. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  data?: Record<string, string>;
  spec?: Record<string, unknown> & {
    template?: { metadata: { labels: Record<string, string> }; spec: PodSpec };
  };
}

export interface PodSpec {
  containers: Container[];
  terminationGracePeriodSeconds?: number;
}

export interface Container {
  name: string;
  args: string[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[];
  envFrom?: { configMapRef: { name: string } }[];
  resources: { limits?: { memory?: string } };
}

export const VALUES = ['default', 'minimal', 'large-fleet', 'strict', 'tls'] as const;

export const valuesFile = (values: (typeof VALUES)[number]): string =>
  join(CHART, 'ci', `${values}-values.yaml`);

/** What the chart renders, parsed. `set` is as in `--set-json`. */
export async function render(
  helm: Helm,
  values: (typeof VALUES)[number],
  set: readonly string[] = [],
): Promise<KubernetesObject[]> {
  const documents = parseAllDocuments(await helm.template(valuesFile(values), set));
  return documents
    .map((document) => {
      if (document.errors[0] !== undefined) throw document.errors[0];
      return document.toJS() as KubernetesObject | null;
    })
    .filter((object) => object !== null);
}

/** The environment of a container, with a stand-in for each secret. */
export function environmentOf(
  container: Container,
  objects: readonly KubernetesObject[],
): Record<string, string> {
  const given = (container.envFrom ?? []).map(
    ({ configMapRef }) =>
      objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef.name)?.data,
  );
  const own = (container.env ?? []).map(({ name, value }) => [
    name,
    value ?? STAND_IN[name] ?? name.padEnd(48, 'a'),
  ]);
  return Object.assign({}, ...given, Object.fromEntries(own)) as Record<string, string>;
}

const STAND_IN: Record<string, string> = {
  DATABASE_URL: 'postgres://cellarman:password@postgres:5432/cellarman',
  // With and without a certificate of ours.
  REDIS_URL: 'rediss://:password@redis:6379',
};
