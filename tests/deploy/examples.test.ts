/* eslint-disable no-console -- why tests were left out must be seen */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { ROOT } from './chart/paths.ts';
import type { KubernetesObject } from './chart/rendered.ts';
import { findHelm } from './helm/find-helm.ts';
import { podProblems, podsOf } from './policies.ts';

const EXAMPLES = join(ROOT, 'deploy', 'examples');
const VALUES = join(EXAMPLES, 'cellarman-values.yaml');

const CANARY = ['canary.enabled=true', 'canary.cellar="canary"', 'secrets.canaryApiKey.name="canary-key"'];

const { helm, reason } = await findHelm();
if (helm === undefined) console.log(`The examples are not held against the chart: ${reason}`);
const objects = (
  await Promise.all(
    (await readdir(EXAMPLES))
      .filter((name) => name.endsWith('.yaml') && name !== 'cellarman-values.yaml')
      .map(async (name) => parse(await readFile(join(EXAMPLES, name), 'utf8'))),
  )
).flat();

test('their pods keep the policies that those of the chart keep', () => {
  expect(podsOf(objects)).toHaveLength(1);
  expect(podsOf(objects).flatMap(podProblems)).toEqual([]);
});

test.runIf(helm !== undefined)('the adjacent values fit: URLs, secrets, users and topics', async () => {
  const rendered = parse(await (helm?.template(VALUES) ?? ''));
  const text = JSON.stringify(rendered);
  const kafka = find('Kafka');
  const { listeners } = kafka.spec?.['kafka'] as { listeners: { port: number; tls: boolean }[] };
  const [listener] = listeners;
  expect(text).toContain(`${kafka.metadata.name}-kafka-bootstrap.kafka:${listener?.port ?? 0}`);
  const users = objects.filter(({ kind }) => kind === 'KafkaUser').map(({ metadata }) => metadata.name);
  const used = [...text.matchAll(/KAFKA_USERNAME"(?::|,"value":)"([^"]+)"/g)].map(([, name]) => name);
  expect(used.toSorted()).toEqual(users.toSorted());
  for (const topic of rendered.filter(({ kind }) => kind === 'KafkaTopic')) {
    expect(topic.metadata.labels).toMatchObject({ 'strimzi.io/cluster': kafka.metadata.name });
    expect(topic.metadata.namespace).toBe(kafka.metadata.namespace);
  }
  // The names that the operators give to what they make.
  expect(text).toContain(`{"name":"${find('Cluster').metadata.name}-app","key":"uri"}`);
  expect(text).toContain(
    `"CLICKHOUSE_URL":"http://clickhouse-${find('ClickHouseInstallation').metadata.name}:8123"`,
  );
});

test.runIf(helm !== undefined)(
  'the certificates are those that the chart mounts, and have the host names of the services',
  async () => {
    const rendered = parse(await (helm?.template(VALUES, ['tls.enabled=true', ...CANARY]) ?? ''));
    const certificates = objects
      .filter(({ kind }) => kind === 'Certificate')
      .map(({ spec }) => spec as { secretName: string; dnsNames?: string[] });
    const mounted = podsOf(rendered)
      .flatMap(({ spec }) => (spec.volumes ?? []) as { name: string; secret?: { secretName: string } }[])
      .flatMap(({ name, secret }) => (name === 'tls' && secret !== undefined ? [secret.secretName] : []));
    expect(mounted).toHaveLength(5);
    expect(certificates.map(({ secretName }) => secretName)).toEqual(expect.arrayContaining(mounted));

    const named = certificates
      .filter(({ secretName }) => mounted.includes(secretName))
      .flatMap(({ dnsNames = [] }) => dnsNames);
    const asked = [...JSON.stringify(rendered).matchAll(/https:\/\/(cellarman-[a-z-]+):/g)].map(
      ([, host]) => host,
    );
    expect(new Set(asked).size).toBe(4);
    expect(named).toEqual(expect.arrayContaining(asked));
  },
);

function find(kind: string): KubernetesObject {
  const object = objects.find((each) => each.kind === kind);
  if (object === undefined) throw new Error(`no example has a ${kind}`);
  return object;
}

function parse(text: string): KubernetesObject[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
}
