import { randomUUID } from 'node:crypto';
import { REJECTIONS_PATH } from '@cellarman/contracts';
import type { SinkHealth } from '@cellarman/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { partition } from '../../services/key-service/tests/pipeline/health-reports.ts';
import { eventually, secondsAgo, SILENT, startAlertHarness } from './alert-harness.ts';
import type { AlertHarness } from './alert-harness.ts';

let harness: AlertHarness;
let cellar: string;
beforeAll(async () => {
  harness = await startAlertHarness();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  cellar = await harness.createCellar();
});

const seen = (rack: string, seconds: number) =>
  harness.store([{ cellar, rack, timestamp: secondsAgo(seconds), received_at: secondsAgo(seconds) }]);
const names = async () =>
  (await harness.alerts(cellar)).map(({ state, subject }) => `${subject.name} ${state}`);
const problems = async () => new Set((await harness.rules(cellar)).map(({ problem }) => problem));
const waiting = { ageMs: 500, partitions: [partition(0), partition(1, { lag: 7 })] };

/** Rejections of three minutes ago, as many as readings that are stored. */
async function rejectHalf(): Promise<void> {
  const key = await harness.createKey(cellar);
  const rejected = { keyId: key.id, code: 'invalid_reading', field: 'value', rack: null, agoMs: 180_000 };
  await harness.internal('POST', REJECTIONS_PATH, {
    ...{ reporter: randomUUID(), sequence: 1, refusals: [{ ...rejected, count: 10 }] },
  });
}

test.each<[what: string, report: Partial<SinkHealth> | undefined, problem: string]>([
  ['does not report', undefined, 'Sink does not report'],
  ['is behind', { behindMs: 11_000 }, 'Storage is behind'],
  ['does not fetch', { behindMs: null, topic: waiting }, 'Readings wait in Kafka'],
  ['consumes one of two partitions', { partitions: [0] }, 'Partitions are not consumed'],
  [
    'does not reach ClickHouse',
    { notReady: [{ part: 'clickhouse', reason: 'x' }] },
    'ClickHouse is unavailable',
  ],
  ['has stopped', { hasFailed: true }, 'Sink has stopped'],
  ['does not know the lag', { topic: null }, 'Kafka lag is unknown'],
])(
  'while the sink %s, silence and rejected shares begin and end no alert',
  async (_what, report, problem) => {
    await harness.sinkReports({});
    await seen('silent before', 300);
    const rule = await harness.createRule(cellar, SILENT);
    await eventually(async () => expect(await names()).toEqual(['silent before firing']));

    await harness.sinkReports(report);
    const text = `${problem}: received readings may not be stored yet`;
    await eventually(async () => expect(await problems()).toEqual(new Set([text])));
    await seen('silent now', 300);
    await seen('silent before', 0);
    await rejectHalf();
    await harness.createRule(cellar, {
      kind: 'rejected_share',
      windowSeconds: 600,
      minRejected: 1,
      percent: 1,
    });
    await eventually(async () => {
      const rules = await harness.rules(cellar);
      expect(rules).toMatchObject([{ problem: text }, { problem: text }]);
      const [before] = rules.filter(({ id }) => id === rule.id);
      expect(Date.parse(before?.evaluatedAt ?? '')).toBeGreaterThan(Date.now() - 5_000);
    });
    expect(await names()).toEqual(['silent before firing']);

    await harness.sinkReports({});
    await eventually(async () =>
      expect((await names()).toSorted()).toEqual([`${cellar} firing`, 'silent now firing']),
    );
  },
);

test('values of a keg and keys are evaluated without the sink', async () => {
  await harness.sinkReports(undefined);
  await harness.createRule(cellar, SILENT);
  const text = 'Sink does not report: received readings may not be stored yet';
  await eventually(async () => expect(await problems()).toEqual(new Set([text])));
  const at = secondsAgo(90);
  await harness.store([{ cellar, rack: 'r', keg: 'temperature', value: 25, timestamp: at, received_at: at }]);
  await harness.createRule(cellar, {
    ...{ kind: 'keg_value', rack: null, rackPrefix: null, keg: 'temperature' },
    ...{ above: 20, below: null, forSeconds: 60 },
  });
  await eventually(async () => expect(await names()).toEqual(['r firing']));
});
