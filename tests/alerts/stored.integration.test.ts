import { randomUUID } from 'node:crypto';
import { REJECTIONS_PATH } from '@cellarman/contracts';
import type { SinkHealth } from '@cellarman/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, secondsAgo, SILENT, startAlertHarness } from './alert-harness.ts';
import type { AlertHarness } from './alert-harness.ts';

let harness: AlertHarness;
let cellar: string;
beforeAll(async () => {
  harness = await startAlertHarness();
  cellar = await harness.createCellar();
});
afterAll(() => harness.stop());

const seen = (rack: string, seconds: number) =>
  harness.store([{ cellar, rack, timestamp: secondsAgo(seconds), received_at: secondsAgo(seconds) }]);
const names = async () =>
  (await harness.alerts(cellar)).map(({ state, subject }) => `${subject.name} ${state}`);
const problems = async () => new Set((await harness.rules(cellar)).map(({ problem }) => problem));

/** Rejections of three minutes ago, as many as readings that are stored. */
async function rejectHalf(): Promise<void> {
  const key = await harness.createKey(cellar);
  const rejected = { keyId: key.id, code: 'invalid_reading', field: 'value', rack: null, agoMs: 180_000 };
  await harness.internal('POST', REJECTIONS_PATH, {
    ...{ reporter: randomUUID(), sequence: 1, refusals: [{ ...rejected, count: 10 }] },
  });
}

/** The unit test of find-storage-problem has the others. */
const REPORTS: [problem: string, report: Partial<SinkHealth> | undefined][] = [
  ['Storage is behind', { behindMs: 11_000 }],
  ['Sink does not report', undefined],
];
const because = (problem: string) => `${problem}: received readings may not be stored yet`;

test('while the sink may not have stored everything, silence and rejected shares begin and end no alert', async () => {
  await seen('silent before', 300);
  await harness.createRule(cellar, SILENT);
  await eventually(async () => expect(await names()).toEqual(['silent before firing']));

  for (const [index, [problem, report]] of REPORTS.entries()) {
    await harness.sinkReports(report);
    await eventually(async () => expect(await problems()).toEqual(new Set([because(problem)])));
    if (index === 0) {
      await seen('silent now', 300);
      await rejectHalf();
      await harness.createRule(cellar, {
        ...{ kind: 'rejected_share', windowSeconds: 600, minRejected: 1, percent: 1 },
      });
    }
    await seen('silent before', 0);
    // Each rule is evaluated after all of that.
    const now = Date.now();
    await eventually(async () => {
      const rules = await harness.rules(cellar);
      expect(rules).toHaveLength(2);
      for (const rule of rules) {
        expect(rule.problem).toBe(because(problem));
        expect(Date.parse(rule.evaluatedAt ?? '')).toBeGreaterThan(now);
      }
    });
    expect(await names()).toEqual(['silent before firing']);
  }

  // Values of a keg do not depend on the sink.
  const at = secondsAgo(90);
  await harness.store([{ cellar, rack: 'r', keg: 'temperature', value: 25, timestamp: at, received_at: at }]);
  await harness.createRule(cellar, {
    ...{ kind: 'keg_value', rack: null, rackPrefix: null, keg: 'temperature' },
    ...{ above: 20, below: null, forSeconds: 60 },
  });
  const all = async () => (await names()).toSorted();
  await eventually(async () => expect(await all()).toEqual(['r firing', 'silent before firing']));

  await seen('silent before', 0);
  await harness.sinkReports({});
  const begun = [`${cellar} firing`, 'r firing', 'r firing', 'silent now firing'];
  await eventually(async () => expect(await all()).toEqual(begun));
}, 240_000);
