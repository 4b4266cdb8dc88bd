import type { IngestHealth, SinkHealth } from '@cellarman/contracts';
import { describe, expect, test } from 'vitest';
import { describePipeline } from '../../src/pipeline/describe-pipeline.ts';
import { ingestHealth, partition, sinkHealth } from './health-reports.ts';

const fresh = <Health>(report: Health) => ({ ageMs: 1_000, report });
const of = (ingest: IngestHealth[], sink: SinkHealth[]) =>
  describePipeline({ ingest: ingest.map(fresh), sink: sink.map(fresh) }, null);
const titles = (...reports: Parameters<typeof of>) => of(...reports).problems.map(({ title }) => title);

test('a healthy pipeline has no problem, its rates add up, and the slowest sink counts', () => {
  const pipeline = of(
    [ingestHealth(), ingestHealth({ accepted: 300 })],
    [sinkHealth({ partitions: [0] }), sinkHealth({ partitions: [1], topic: null, behindMs: 410 })],
  );
  expect(pipeline).toMatchObject({ state: 'ok', problem: null, problems: [], behindSeconds: 0.41 });
  expect(pipeline.ingest).toMatchObject({ acceptedPerSecond: 60, rejectedPerSecond: 2, failedPerSecond: 0 });
  expect(pipeline.sink.storedPerSecond).toBe(100);
  const [first, second] = pipeline.sink.replicas;
  expect(pipeline.kafka.partitions.map(({ sink }) => sink)).toEqual([first?.host, second?.host]);
});

test('nothing to store is healthy, and no figure', () => {
  expect(of([ingestHealth()], [sinkHealth({ behindMs: null })])).toMatchObject({
    ...{ state: 'ok', behindSeconds: null },
  });
});

test('a replica that no longer reports is silent: it is a problem, and its figures do not count', () => {
  const report = ingestHealth();
  const pipeline = describePipeline(
    { ingest: [fresh(ingestHealth()), { ageMs: 11_000, report }], sink: [fresh(sinkHealth())] },
    null,
  );
  expect(pipeline).toMatchObject({ state: 'warn', problem: 'A replica is silent' });
  expect(pipeline.problems[0]?.text).toBe(`ingest on ${report.host} has not reported for 11 s.`);
  expect(pipeline.ingest.acceptedPerSecond).toBe(50);
  expect(pipeline.ingest.replicas[1]).toMatchObject({ state: 'silent', acceptedPerSecond: null });
});

test('without any report the pipeline is bad, not healthy', () => {
  const pipeline = of([], []);
  expect(pipeline).toMatchObject({ state: 'bad', behindSeconds: null });
  expect(pipeline.problems.map(({ title }) => title)).toEqual([
    'Ingest does not report',
    'Sink does not report',
    'Kafka lag is unknown',
  ]);
  expect(pipeline.ingest.acceptedPerSecond).toBeNull();
});

test('a sink that went silent does not describe the partitions any more', () => {
  const pipeline = describePipeline(
    { ingest: [fresh(ingestHealth())], sink: [{ ageMs: 40_000, report: sinkHealth() }] },
    null,
  );
  expect(pipeline.kafka).toEqual({ ageSeconds: null, partitions: [] });
  expect(pipeline.behindSeconds).toBeNull();
  expect(pipeline.problem).toBe('Sink does not report');
});

describe('each problem has its words and its runbook', () => {
  const notReady = (part: string) => [{ part, reason: 'it is away' }];
  test.for<[title: string, runbook: string, ingest: Partial<IngestHealth>, sink: Partial<SinkHealth>]>([
    ['Ingest is not ready', 'CellarmanKeysAreOld', { notReady: notReady('keys') }, {}],
    ['Kafka rejects readings', 'CellarmanKafkaPartitionFails', { failingPartitions: [1] }, {}],
    ['Ingest fails', 'CellarmanIngestFails', { failed: 100 }, {}],
    ['ClickHouse is unavailable', 'CellarmanSinkIsStuck', {}, { notReady: notReady('clickhouse') }],
    ['Sink has stopped', 'CellarmanSchemaError', {}, { hasFailed: true, notReady: notReady('schema') }],
    ['Storage is behind', 'CellarmanSinkIsBehind', {}, { behindMs: 61_000 }],
    ['New dead letters', 'CellarmanDeadLetters', {}, { deadLetters: 3 }],
    ['Partitions are not consumed', 'CellarmanSinkIsBehind', {}, { partitions: [1] }],
    ['Kafka lag is unknown', 'CellarmanSinkIsBehind', {}, { topic: null }],
    [
      'Replicas out of sync',
      'CellarmanKafkaPartitionFails',
      {},
      { topic: { ageMs: 0, partitions: [partition(0, { inSync: 2 }), partition(1)] } },
    ],
    [
      'Partitions without a leader',
      'CellarmanKafkaPartitionFails',
      {},
      { topic: { ageMs: 0, partitions: [partition(0), partition(1, { leader: null, lag: null })] } },
    ],
  ])('%s', ([title, runbook, ingest, sink]) => {
    const { problems } = of([ingestHealth(ingest)], [sinkHealth(sink)]);
    expect(problems).toMatchObject([{ title, runbook }]);
  });

  test('a process that stops in order is none', () => {
    const stopping = ingestHealth({ notReady: notReady('process') });
    expect(titles([ingestHealth(), stopping], [sinkHealth()])).toEqual([]);
    expect(of([stopping], [sinkHealth()]).ingest.replicas[0]?.state).toBe('stopping');
  });

  test('the worst comes first', () => {
    expect(titles([ingestHealth({ failed: 900 })], [sinkHealth({ deadLetters: 1, topic: null })])[0]).toBe(
      'Ingest fails',
    );
  });
});
