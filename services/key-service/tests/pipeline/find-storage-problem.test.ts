import type { SinkHealth } from '@cellarman/contracts';
import { expect, test } from 'vitest';
import { findStorageProblem } from '../../src/pipeline/find-storage-problem.ts';
import { partition, sinkHealth } from './health-reports.ts';

const reported = (change: Partial<SinkHealth> = {}, ageMs = 500) => ({ ageMs, report: sinkHealth(change) });
const lag = (...lags: (number | null)[]) => ({
  topic: { ageMs: 500, partitions: lags.map((each, number) => partition(number, { lag: each })) },
});

test.each([
  ['a sink is healthy', [reported()], undefined],
  ['there was nothing to store', [reported({ behindMs: null })], undefined],
  ['some wait while others are stored', [reported(lag(40, 2))], undefined],
  ['there are dead letters', [reported({ deadLetters: 3 })], undefined],
  [
    'a replica of Kafka is away',
    [reported({ topic: { ageMs: 0, partitions: [0, 1].map((n) => partition(n, { inSync: 2 })) } })],
    undefined,
  ],
  ['one of two is silent and the other has its partitions', [reported(), reported({}, 11_000)], undefined],
  ['there is no sink', [], 'Sink does not report'],
  ['the only one is silent', [reported({}, 11_000)], 'Sink does not report'],
  ['it is behind', [reported({ behindMs: 11_000 })], 'Storage is behind'],
  ['it fetches nothing', [reported({ behindMs: null, ...lag(0, 7) })], 'Readings wait in Kafka'],
  [
    'the lag of a partition is unknown',
    [reported({ behindMs: null, ...lag(0, null) })],
    'Readings wait in Kafka',
  ],
  ['nobody has fetched the lag', [reported({ topic: null })], 'Kafka lag is unknown'],
  ['a partition has no consumer', [reported({ partitions: [0] })], 'Partitions are not consumed'],
  ['it has stopped', [reported({ hasFailed: true })], 'Sink has stopped'],
  [
    'it does not reach ClickHouse',
    [reported({ notReady: [{ part: 'clickhouse', reason: 'x' }] })],
    'ClickHouse is unavailable',
  ],
])('when %s', (_when, sinks, problem) => expect(findStorageProblem(sinks)).toBe(problem));
