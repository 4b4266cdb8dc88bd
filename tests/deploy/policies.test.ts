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

  test('no path from outside leads to internal routes, metrics or probes', () => {
    const objects = objectsOf('large-fleet');
    const paths = objects.flatMap(waysIn);
    expect(paths).toHaveLength(10);
    const ofIngest = ['/api/v1/ingest', '/api/v2/write', '/v1/metrics', '/write'];
    expect(paths.filter(([, backend]) => backend.endsWith('-ingest')).map(([path]) => path)).toEqual([
      ...ofIngest,
      ...ofIngest,
    ]);
    expect(paths.filter(([, backend]) => !/-(ingest|key-service)$/.test(backend))).toEqual([]);
    for (const name of ['fleet-ingest', 'fleet-key-service', 'fleet-query']) {
      const service = objects.find((each) => each.kind === 'Service' && each.metadata.name === name);
      expect(service?.spec?.['ports'], name).toMatchObject([{ targetPort: 'http' }]);
    }
    for (const component of ['ingest', 'key-service', 'query']) {
      const [container] =
        podsOf(objects).find(({ kind, name }) => kind === 'Deployment' && name === `fleet-${component}`)?.spec
          .containers ?? [];
      const others = (container?.ports ?? []).flatMap(({ name }) => (name === 'http' ? [] : [name]));
      expect(others, component).toHaveLength(1);
      // What is probed is not what clients can fill with connections.
      expect(container?.readinessProbe).toMatchObject({ httpGet: { port: others[0] } });
    }
  });

  test('clients, the other services and Prometheus each reach the port of key-service that is for them', () => {
    const policy = objectsOf('strict').find(
      ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'cellarman-key-service',
    );
    const rules = policy?.spec?.['ingress'] as { ports: { port: number }[]; from: object[] }[];
    const admitted = rules.flatMap(({ ports, from }) =>
      ports.map(({ port }) => [port, from.map((peer) => LAST_LABEL.exec(JSON.stringify(peer))?.[1])]),
    );
    expect(admitted).toEqual([
      [8081, ['ingress']],
      [8081, ['test']],
      [8091, ['ingest', 'sink', 'query']],
      [8091, ['monitoring']],
    ]);
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

/** Of a peer in a rule: the component of its pods, or the name of its namespace. */
const LAST_LABEL = /"([a-z-]+)"\}*$/;

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
