/* eslint-disable no-console -- why tests were left out must be seen */
import { describe, expect, test } from 'vitest';
import { render, VALUES } from './chart/rendered.ts';
import type { KubernetesObject } from './chart/rendered.ts';
import { findHelm } from './helm/find-helm.ts';
import { lostPorts, podProblems, podsOf, unconnectedPods } from './policies.ts';

const { helm, reason } = await findHelm();
if (helm === undefined) console.log(`The policies of the chart are not checked: ${reason}`);

/** Nobody who runs this chart gives it rights. */
const RIGHTS = ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'];

describe.runIf(helm !== undefined)('the chart', async () => {
  if (helm === undefined) return;
  const rendered = new Map(
    await Promise.all(VALUES.map(async (values) => [values, await render(helm, values)] as const)),
  );
  const objectsOf = (values: (typeof VALUES)[number]) => rendered.get(values) ?? [];

  test.each(VALUES)('violates no policy with the values %s', (values) => {
    const objects = objectsOf(values);
    expect(podsOf(objects).length).toBeGreaterThanOrEqual(7);
    expect(podsOf(objects).flatMap(podProblems)).toEqual([]);
    expect(lostPorts(objects)).toEqual([]);
    expect(objects.filter(({ kind }) => RIGHTS.includes(kind))).toEqual([]);
    if (values !== 'minimal') expect(unconnectedPods(objects)).toEqual([]);
  });

  test.each<[string, (pod: Record<string, unknown>, container: Record<string, unknown>) => void]>([
    ['shares a namespace with its node', (pod) => (pod['hostNetwork'] = true)],
    ['gets a token of the cluster', (pod) => delete pod['automountServiceAccountToken']],
    ['a volume is a hostPath', (pod) => (pod['volumes'] = [{ name: 'host', hostPath: { path: '/' } }])],
    ['may run as root', (pod) => (pod['securityContext'] = { seccompProfile: { type: 'RuntimeDefault' } })],
    ['may make any system call', (pod) => (pod['securityContext'] = { runAsNonRoot: true })],
    ['may gain rights', (_, container) => (container['securityContext'] = {})],
    ['nobody knows which version', (_, container) => (container['image'] = 'cellarman:latest')],
    ['nobody knows which version', (_, container) => (container['image'] = 'registry:5000/cellarman')],
    ['the scheduler does not know', (_, container) => (container['resources'] = {})],
    ['a variable is given twice', (_, container) => (container['env'] = [{ name: 'A' }, { name: 'A' }])],
    ['a probe is missing', (_, container) => delete container['startupProbe']],
    ['has a port of its node', (_, container) => (container['ports'] = [{ hostPort: 80 }])],
  ])('that broke one would be found: %s', (problem, breakIt) => {
    const deployment = structuredClone(objectsOf('default').find(({ kind }) => kind === 'Deployment'));
    const pod = deployment?.spec?.template?.spec as Record<string, unknown> | undefined;
    const [container] = (pod?.['containers'] ?? []) as Record<string, unknown>[];
    if (deployment === undefined || pod === undefined || container === undefined)
      throw new Error('there is none');
    expect(podsOf([deployment]).flatMap(podProblems)).toEqual([]);
    breakIt(pod, container);
    expect(podsOf([deployment]).flatMap(podProblems).join()).toContain(problem);
  });

  test('no way from outside leads to what is internal', () => {
    const paths = objectsOf('large-fleet').flatMap(waysIn);
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter(([, backend]) => backend.endsWith('-ingest')).map(([path]) => path)).toEqual([
      '/api/v1/ingest',
      '/api/v1/ingest',
    ]);
    for (const path of ['/internal', '/metrics', '/livez', '/readyz']) {
      const led = paths.filter(([own]) => own === path).map(([, backend]) => backend);
      expect(new Set(led), path).toEqual(new Set(['fleet-closed']));
    }
    expect(paths.filter(([, backend]) => /-(query|sink)$/.test(backend))).toEqual([]);
  });

  test('the topics of Strimzi stay when the chart goes, since the readings would go with them', () => {
    const topics = objectsOf('large-fleet').filter(({ kind }) => kind === 'KafkaTopic');
    expect(topics).toHaveLength(2);
    for (const { metadata } of topics) {
      expect(metadata.annotations).toMatchObject({
        'helm.sh/resource-policy': 'keep',
        'argocd.argoproj.io/sync-options': 'Prune=false',
      });
    }
  });
});

/** Paths of an Ingress or HTTPRoute, each with the Service that it leads to. */
function waysIn({ kind, spec }: KubernetesObject): [path: string, backend: string][] {
  if (kind === 'Ingress') {
    const rules = spec?.['rules'] as {
      http: { paths: { path: string; backend: { service: { name: string } } }[] };
    }[];
    return rules
      .flatMap(({ http }) => http.paths.map(({ path, backend }) => [path, backend.service.name] as const))
      .map(([path, backend]) => [path, backend]);
  }
  if (kind === 'HTTPRoute') {
    const rules = spec?.['rules'] as {
      matches: { path: { value: string } }[];
      backendRefs?: { name: string }[];
    }[];
    return rules.flatMap(({ matches, backendRefs = [] }) =>
      matches.flatMap(({ path }) => backendRefs.map(({ name }): [string, string] => [path.value, name])),
    );
  }
  return [];
}
