/* eslint-disable no-console -- why tests were left out must be seen */
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { topicConfig } from '@cellarman/kafka';
import { DEFAULT_FLEET, size, valuesOf } from '@cellarman/sizing';
import { describe, expect, test } from 'vitest';
import { manifestDocuments } from './chart/documents.ts';
import { ROOT } from './chart/paths.ts';
import { environmentOf, render, VALUES, valuesFile } from './chart/rendered.ts';
import type { KubernetesObject } from './chart/rendered.ts';
import { SERVICES } from './chart/service-variables.ts';
import { findHelm } from './helm/find-helm.ts';
import { configSchema as canary, loadConfig as loadCanary } from '../../services/canary/src/config.ts';
import { configSchema as ingest, loadConfig as loadIngest } from '../../services/ingest/src/config.ts';
import {
  configSchema as keyService,
  loadConfig as loadKeyService,
  loadMigrateConfig as loadMigrateKeys,
  migrateConfigSchema as migrateKeys,
} from '../../services/key-service/src/config.ts';
import { configSchema as query, loadConfig as loadQuery } from '../../services/query/src/config.ts';
import {
  configSchema as sink,
  loadConfig as loadSink,
  loadMigrateConfig,
  migrateConfigSchema,
} from '../../services/sink/src/config.ts';
import { wantedTopics } from '../../services/sink/src/migrate/migrate-topics.ts';

const { helm, reason } = await findHelm();
if (helm === undefined) console.log(`The tests of the Helm chart are left out: ${reason}`);

test('a helm is there, or it is said why not; CI has one', () => {
  expect(helm === undefined).toBe(reason !== '');
  if (process.env['CI'] !== undefined) expect(reason).toBe('');
});

describe.runIf(helm !== undefined)('the chart', async () => {
  if (helm === undefined) return;
  const rendered = new Map(
    await Promise.all(VALUES.map(async (values) => [values, await render(helm, values)] as const)),
  );
  const objectsOf = (values: (typeof VALUES)[number]) => rendered.get(values) ?? [];

  test.each(VALUES)('has nothing that helm lint --strict finds with the values %s', async (values) => {
    expect(await helm.lint(valuesFile(values))).toContain('1 chart(s) linted, 0 chart(s) failed');
  });

  test.each([...(await manifestDocuments(helm))])(
    '%s is what the chart renders; else run: npx -y pnpm@12 generate',
    async (file, text) => {
      expect(await readFile(file, 'utf8'), relative(ROOT, file)).toBe(text);
    },
  );

  test.each([1_000, 5_000_000, 60_000_000])('takes the values of `size` for %i devices', async (devices) => {
    const fleet = { ...DEFAULT_FLEET, devices };
    const values = valuesOf(fleet, size(fleet));
    const set = Object.entries(values).flatMap(([part, of]) =>
      Object.entries(of).map(([name, value]) => `${part}.${name}=${JSON.stringify(value)}`),
    );
    const objects = await render(helm, 'default', set);
    const ingestPods = objects.find(
      ({ kind, metadata }) => kind === 'Deployment' && /ingest/.test(metadata.name),
    );
    expect(ingestPods?.spec?.['replicas']).toBe(values.ingest.replicas);
  });

  describe.each(VALUES)('with the values %s', (values) => {
    const objects = objectsOf(values);
    const pods = objects.flatMap(({ kind, metadata, spec }) =>
      kind === 'Deployment' || kind === 'Job' ? [{ name: metadata.name, pod: spec?.template?.spec }] : [],
    );

    test.each([
      ['ingest', ingest, loadIngest],
      ['key-service', keyService, loadKeyService],
      ['query', query, loadQuery],
      ['sink', sink, loadSink],
      ['migrate-keys', migrateKeys, loadMigrateKeys],
      ['migrate-storage', migrateConfigSchema, loadMigrateConfig],
    ] as const)('%s gets an environment that it accepts', (component, schema, load) => {
      const container = pods
        .flatMap(({ pod }) => pod?.containers ?? [])
        .find(({ name }) => name === component);
      if (container === undefined) throw new Error(`nothing runs ${component}`);
      const environment = environmentOf(container, objects);
      expect(() => load(environment)).not.toThrow();
      // A misspelt variable would be ignored. The others are read by Node and by the OpenTelemetry SDK.
      const known = [
        ...Object.keys(schema.properties),
        'NODE_OPTIONS',
        'NODE_EXTRA_CA_CERTS',
        'OTEL_RESOURCE_ATTRIBUTES',
      ];
      expect(known).toEqual(expect.arrayContaining(Object.keys(environment)));
    });

    test('gives each caller of key-service a token of its own, and the migrations none', () => {
      const tokens = pods
        .flatMap(({ pod }) => pod?.containers ?? [])
        .flatMap(({ name, env = [] }) =>
          env
            .filter((variable) => variable.name.endsWith('_TOKEN'))
            .map((variable) => `${name} ${variable.name} ${variable.valueFrom?.secretKeyRef.key ?? ''}`),
        );
      expect(tokens.toSorted()).toEqual([
        'ingest INTERNAL_TOKEN ingest-token',
        'key-service INGEST_TOKEN ingest-token',
        'key-service QUERY_TOKEN query-token',
        'key-service SINK_TOKEN sink-token',
        'query INTERNAL_TOKEN query-token',
        'sink INTERNAL_TOKEN sink-token',
      ]);
    });

    test('makes no Secret and puts none into a ConfigMap', () => {
      expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
      const isSecret = (variable: string) =>
        variable === 'REDIS_URL' ||
        Object.values(SERVICES).some(({ properties }) => properties[variable]?.['secret'] === true);
      const configured = objects.flatMap(({ kind, data }) =>
        kind === 'ConfigMap' ? Object.keys(data ?? {}) : [],
      );
      expect(configured.length).toBeGreaterThan(20);
      expect(configured.filter(isSecret)).toEqual([]);

      const written = pods.flatMap(({ pod }) => pod?.containers ?? []).flatMap(({ env }) => env ?? []);
      expect(written.filter(({ name, value }) => isSecret(name) && value !== undefined)).toEqual([]);
    });

    test('every process has the time that it may take to stop', () => {
      const deployments = pods.filter(({ pod }) => pod?.terminationGracePeriodSeconds !== undefined);
      expect(deployments).toHaveLength(values === 'large-fleet' || values === 'tls' ? 5 : 4);
      for (const { name, pod } of deployments) {
        const [container] = pod?.containers ?? [];
        if (container === undefined) throw new Error(`${name} has no container`);
        const deadline = Number(environmentOf(container, objects)['SHUTDOWN_DEADLINE_MS']) / 1_000;
        expect(deadline, name).toBeGreaterThan(0);
        expect(pod?.terminationGracePeriodSeconds, name).toBeGreaterThan(deadline);
      }
    });

    test('every Service, budget and policy finds pods of this release', () => {
      const labels = objects.flatMap(({ kind, metadata, spec }) =>
        kind === 'Pod'
          ? [metadata.labels ?? {}]
          : spec?.template === undefined
            ? []
            : [spec.template.metadata.labels],
      );
      const selectors = objects.flatMap((object) => selectorsOf(object));
      expect(selectors.length).toBeGreaterThan(5);
      const lost = selectors.filter(
        (selector) =>
          !labels.some((own) => Object.entries(selector).every(([key, value]) => own[key] === value)),
      );
      expect(lost).toEqual([]);
    });
  });

  test('what is not listed may not be reached: every pod is denied everything first', () => {
    const policies = objectsOf('strict').filter(({ kind }) => kind === 'NetworkPolicy');
    const deny = policies.find(({ metadata }) => metadata.name === 'cellarman-deny-all');
    expect(deny?.spec).toEqual({
      podSelector: {
        matchLabels: { 'app.kubernetes.io/name': 'cellarman', 'app.kubernetes.io/instance': 'cellarman' },
      },
      policyTypes: ['Ingress', 'Egress'],
    });
    // With strict values nobody is met on a port alone: each rule names who.
    const rules = policies.flatMap(({ spec }) => [
      ...rulesOf(spec, 'ingress', 'from'),
      ...rulesOf(spec, 'egress', 'to'),
    ]);
    expect(rules.length).toBeGreaterThan(15);
    expect(rules.filter((peers) => peers === undefined)).toEqual([]);
  });

  test('the canary gets an environment that it accepts', () => {
    const objects = objectsOf('tls');
    const [container] = objects.flatMap(({ metadata, spec }) =>
      metadata.labels?.['app.kubernetes.io/component'] === 'canary'
        ? (spec?.template?.spec.containers ?? [])
        : [],
    );
    if (container === undefined) throw new Error('nothing runs the canary');
    const environment = environmentOf(container, objects);
    expect(() => loadCanary(environment)).not.toThrow();
    expect([...Object.keys(canary.properties), 'NODE_EXTRA_CA_CERTS']).toEqual(
      expect.arrayContaining(Object.keys(environment)),
    );
  });

  test('replicas are left to what scales them', () => {
    const replicas = (values: (typeof VALUES)[number]) =>
      Object.fromEntries(
        objectsOf(values).flatMap(({ kind, metadata, spec }) =>
          kind === 'Deployment'
            ? [[metadata.labels?.['app.kubernetes.io/component'], spec?.['replicas']]]
            : [],
        ),
      ) as unknown;
    expect(replicas('default')).toEqual({ ingest: 2, 'key-service': 2, sink: 2, query: 2 });
    expect(replicas('large-fleet')).toEqual({
      ingest: undefined,
      'key-service': 3,
      sink: undefined,
      query: 4,
      canary: 1,
    });
  });

  test('the topics of Strimzi are those that the migration would make', () => {
    const objects = objectsOf('large-fleet');
    const containers = objects.flatMap(({ kind, spec }) =>
      kind === 'Job' ? (spec?.template?.spec.containers ?? []) : [],
    );
    const container = containers.find(({ name }) => name === 'migrate-storage');
    if (container === undefined) throw new Error('there is no migration');
    const wanted = wantedTopics(loadMigrateConfig(environmentOf(container, objects)));
    const rendered = objects
      .filter(({ kind }) => kind === 'KafkaTopic')
      .map(({ spec }) => ({
        ...spec,
        config: Object.fromEntries(
          Object.entries(spec?.['config'] as Record<string, unknown>).map(([name, value]) => [
            name,
            String(value),
          ]),
        ),
      }));
    expect(rendered).toEqual(
      wanted.map(({ topic, policy }) => ({
        topicName: topic,
        partitions: policy.partitions,
        replicas: policy.replicationFactor,
        config: topicConfig(policy),
      })),
    );
  });

  test.each([
    ['typo=1', "additional properties 'typo' not allowed"],
    [
      'ingest.config={"RATE_LIMIT_PER_SECONDS":1}',
      "'/ingest/config': additional properties 'RATE_LIMIT_PER_SECONDS' not allowed",
    ],
    [
      'ingest.config={"MAX_CONNECTIONS":"many"}',
      "'/ingest/config/MAX_CONNECTIONS': got string, want integer",
    ],
    [
      'keyService.config={"DATABASE_URL":"postgres://a:b@c/d"}',
      "additional properties 'DATABASE_URL' not allowed",
    ],
    ['kafka.brokers=[]', "'/kafka/brokers': minItems: got 0, want 1"],
    ['clickhouse.url="http://user:password@clickhouse:8123"', "'/clickhouse/url'"],
    ['image.digest="latest"', "'/image/digest'"],
    ['image.pullPolicy="Sometimes"', "'/image/pullPolicy': value must be one of"],
    [
      'sink.autoscaling={"enabled":true,"minReplicas":0}',
      "'/sink/autoscaling/minReplicas': minimum: got 0, want 1",
    ],
    ['ingest.podDisruptionBudget=null', "missing property 'podDisruptionBudget'"],
    [
      'ingest.resources={"requests":{"memory":"512Mi"},"limits":{"memory":"512Mi"}}',
      'ingest.resources.limits.memory: 512Mi is less than the 729 MiB that MAX_CONNECTIONS, KEY_CACHE_SIZE, MAX_BODIES_BYTES and MAX_IN_FLIGHT_BYTES allow',
    ],
    [
      'ingest.config={"KEY_CACHE_SIZE":1000000}',
      'ingest.resources.limits.memory: 768Mi is less than the 1393',
    ],
    ['ingest.autoscaling.connections=30001', 'never has more than MAX_CONNECTIONS (30000)'],
    ['ingest.autoscaling.inFlightReadings=10001', 'never has more than MAX_IN_FLIGHT_REQUESTS'],
    ['sink.replicas=7', '7 replicas are more than the 6 partitions'],
    ['kafka.topic.replicationFactor=1', 'the sink rejects fewer than 3 replicas'],
    ['gateway.enabled=true', 'an HTTPRoute needs a Gateway'],
    ['ingress.enabled=true', 'ingress.enabled needs ingress.ingest.host, ingress.dashboard.host or both'],
    [
      'ingress={"enabled":true,"dashboard":{"host":"cellarman.example.com"}}',
      'keyService.trustedProxies: sign-in limits and the audit need the IP addresses of clients',
    ],
    [
      'gateway={"enabled":true,"parentRefs":[{"name":"public"}]}',
      'keyService.trustedProxies: sign-in limits and the audit need the IP addresses of clients',
    ],
    ['telemetry.logsExporter="otlp"', 'metrics or logs go to a collector, which has no address'],
    ['telemetry.metricsExporter="statsd"', "'/telemetry/metricsExporter': value must be one of"],
    ['kafka.topic.resources.enabled=true', 'a KafkaTopic needs the name of its Kafka'],
    ['secrets.sinkToken.name=""', 'give ingestToken, queryToken and sinkToken, or internalToken'],
    ['kafka.sasl.mechanism="plain"', 'secrets.kafkaPassword.name go together'],
    [
      'kafka.sasl.sinkUsername="sink"',
      'kafka.sasl.sinkUsername and secrets.sinkKafkaPassword.name go together',
    ],
    ['migrations.databaseServiceRole="service"', 'secrets.migrateDatabaseUrl.name go together'],
    ['clickhouse.migrateUser="owner"', 'secrets.migrateClickhousePassword.name go together'],
    ['canary.enabled=true', 'canary.enabled needs canary.cellar and secrets.canaryApiKey.name'],
    ['tests.cellar="canary"', 'tests.cellar and tests.apiKey.name go together'],
    ['tls.enabled=true', 'tls.enabled needs certificateAuthorities'],
    ['certificateAuthorities={"configMap":"a","secret":"b"}', 'give a configMap or a secret'],
    ['clientCertificates.kafka.secret="kafka-user"', 'of no use without kafka.tls'],
    ['clientCertificates.clickhouse.secret="sink"', 'of no use without https://'],
  ])('rejects %s and says why', async (set, message) => {
    await expect(render(helm, 'default', [set])).rejects.toThrow(message);
  });

  test.each(['1Gi', '0.8G', '900M', '805306368', 805_306_368, '786432Ki', '1.5Gi'])(
    'reads a memory limit of %s',
    async (memory) => {
      await render(helm, 'default', [`ingest.resources.limits.memory=${JSON.stringify(memory)}`]);
    },
  );

  test('scales ingest by connections and in-flight readings', () => {
    const [autoscaler] = objectsOf('large-fleet').filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
    const pods = (name: string, averageValue: string) => ({
      type: 'Pods',
      pods: { metric: { name }, target: { type: 'AverageValue', averageValue } },
    });
    expect(autoscaler?.spec?.['metrics']).toEqual([
      expect.objectContaining({ type: 'Resource' }),
      pods('cellarman_ingest_connections', '20000'),
      pods('cellarman_ingest_in_flight', '2000'),
    ]);
  });

  test('routes by API key behind ingress-nginx and behind Envoy Gateway', async () => {
    const objects = await render(helm, 'default', [
      'ingress={"enabled":true,"ingest":{"host":"readings.example.com","routeByKey":true}}',
      'gateway={"enabled":true,"parentRefs":[{"name":"public"}],"ingest":{"routeByKey":true}}',
      'keyService.trustedProxies=["none"]',
    ]);
    const ingress = objects.find(({ kind }) => kind === 'Ingress');
    expect(ingress?.metadata.annotations).toEqual({
      'nginx.ingress.kubernetes.io/upstream-hash-by': '$http_x_api_key$http_authorization',
    });
    const policy = objects.find(({ kind }) => kind === 'BackendTrafficPolicy');
    const routes = objects.filter(({ kind }) => kind === 'HTTPRoute').map(({ metadata }) => metadata.name);
    expect(policy?.spec).toEqual({
      targetRefs: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute', name: policy?.metadata.name }],
      loadBalancer: {
        type: 'ConsistentHash',
        consistentHash: { type: 'Header', header: { name: 'X-API-Key' } },
      },
    });
    expect(routes).toContain(policy?.metadata.name);
  });

  test('takes an Ingress whose proxy is named, or said to change no IP address', async () => {
    for (const proxies of ['["10.244.0.0/16"]', '["none"]']) {
      const objects = await render(helm, 'default', [
        'ingress={"enabled":true,"dashboard":{"host":"cellarman.example.com"}}',
        `keyService.trustedProxies=${proxies}`,
      ]);
      expect(objects.filter(({ kind }) => kind === 'Ingress')).toHaveLength(1);
    }
  });

  test('routes only claims to key-service on the host of devices, and needs the proxies for it', async () => {
    const host = '"readings.example.com"';
    const settings = ['ingress.enabled=true', `ingress.ingest.host=${host}`, `ingress.claims.host=${host}`];
    await expect(render(helm, 'default', settings)).rejects.toThrow('keyService.trustedProxies');
    const objects = await render(helm, 'default', [...settings, 'keyService.trustedProxies=["none"]']);
    const ingresses = objects.filter(({ kind }) => kind === 'Ingress');
    expect(ingresses.map(({ metadata }) => metadata.name)).toEqual([
      expect.stringMatching(/-ingest$/),
      expect.stringMatching(/-claims$/),
    ]);
    const [rule] = ingresses[1]?.spec?.['rules'] as { http: { paths: object[] } }[];
    expect(rule?.http.paths).toMatchObject([
      {
        path: '/api/v1/claims',
        pathType: 'Exact',
        backend: { service: { name: expect.stringMatching(/-key-service$/) as string } },
      },
    ]);
  });

  test('without a host makes no Ingress, which would match every host', async () => {
    const objects = await render(helm, 'default', [
      'ingress.enabled=true',
      'ingress.ingest.host="readings.example.com"',
    ]);
    const names = objects.filter(({ kind }) => kind === 'Ingress').map(({ metadata }) => metadata.name);
    expect(names).toEqual([expect.stringMatching(/-ingest$/)]);
  });
});

/** The labels by which an object finds pods. */
function selectorsOf({ kind, spec = {} }: KubernetesObject): Record<string, string>[] {
  const labelsOf = (selector: unknown) => (selector as { matchLabels: Record<string, string> }).matchLabels;
  switch (kind) {
    case 'Service':
      return spec['selector'] === undefined ? [] : [spec['selector'] as Record<string, string>];
    case 'PodDisruptionBudget':
    case 'Deployment':
      return [labelsOf(spec['selector'])];
    case 'NetworkPolicy':
      return [labelsOf(spec['podSelector'])];
    default:
      return [];
  }
}

function rulesOf(spec: KubernetesObject['spec'], direction: string, peers: string): unknown[] {
  return ((spec?.[direction] ?? []) as Record<string, unknown>[]).map((rule) => rule[peers]);
}
