import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertLines } from '../../services/sink/src/store/insert-lines.ts';
import { retryUntilDone } from '../../libs/concurrency/src/index.ts';
import { nextHour, rollUpHour } from '../../services/sink/src/hourly-rollup/roll-up-hour.ts';
import { startKillableClickHouse } from './killable-clickhouse.ts';
import type { KillableClickHouse } from './killable-clickhouse.ts';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';

/**
 * Readings may be sent again at any time and in any order; ClickHouse may merge at any time, and be killed in the middle of an
 * insert or of counting; and completed hours may have been counted or not. Each reading counts once, at its first receipt, and
 * the latest is the latest.
 */
let clickhouse: KillableClickHouse;
let harness: Harness;
beforeAll(async () => {
  clickhouse = await startKillableClickHouse();
  harness = await startHarness({}, clickhouse.access);
});
afterAll(async () => {
  await harness.stop();
  await clickhouse.remove();
});

const MINUTE = 60_000;
/** The begin of an hour in the past, so that every bucket is complete. */
const BEGIN = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3 * 3_600_000;
const RUNS = 6;

interface Copy {
  rack: string;
  keg: string;
  /** Few different ones, so that a good part is equal. */
  value: number;
  second: number;
  /** Minutes after BEGIN at which this copy was received. */
  minute: number;
}

const copy: fc.Arbitrary<Copy> = fc.record({
  rack: fc.constantFrom('a', 'b', 'ä'),
  keg: fc.constantFrom('k', 'l'),
  value: fc.constantFrom(0, 0.1, -7.25),
  second: fc.integer({ min: 0, max: 3 }),
  minute: fc.integer({ min: 0, max: 119 }),
});
/** Arrives when the first two hours have ended, and may have been counted. */
const lateCopy = fc
  .tuple(copy, fc.integer({ min: 120, max: 179 }))
  .map(([one, minute]): Copy => ({ ...one, minute }));

interface Insert {
  copies: Copy[];
  /** Whether all parts are merged behind it. */
  merge: boolean;
}

const insertsOf = (of: fc.Arbitrary<Copy>, least: number): fc.Arbitrary<Insert[]> =>
  fc.array(fc.record({ copies: fc.array(of, { minLength: 1, maxLength: 30 }), merge: fc.boolean() }), {
    minLength: least,
    maxLength: 5,
  });

/** A step that does not come to pass kills nothing: there are one to ten inserts, and counting between them. */
const kills = fc.record({
  step: fc.oneof(fc.constant('settling' as const), fc.nat(9)),
  /** Milliseconds from the begin of the step. An insert takes about ten. */
  afterMs: fc.integer({ min: 0, max: 8 }),
});

const history = fc.record({
  early: insertsOf(copy, 1),
  isSettled: fc.boolean(),
  late: insertsOf(lateCopy, 0),
  /** ClickHouse is killed in the first insert, and somewhere else. */
  firstKillAfterMs: fc.integer({ min: 0, max: 8 }),
  kill: kills,
  /** The minute in which a range ends. */
  cut: fc.integer({ min: 1, max: 179 }),
});

const timestampOf = ({ second }: Copy) =>
  new Date(BEGIN + second * 1_000).toISOString().replace('Z', '000000Z');
const receivedAtOf = (minute: number) => new Date(BEGIN + minute * MINUTE + 250).toISOString();
const identityOf = ({ rack, keg, value, second }: Copy) => JSON.stringify([rack, keg, second, value]);
const byText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Computes the expected responses from all copies. */
function expectedOf(copies: readonly Copy[]) {
  const first = new Map<string, Copy>();
  for (const one of copies) {
    const known = first.get(identityOf(one));
    if (known === undefined || one.minute < known.minute) first.set(identityOf(one), one);
  }
  const readings = [...first.values()];
  const countsBy = (step: number, before: number): [string, number][] => {
    const counts = new Map<string, number>();
    for (const { minute } of readings) {
      if (minute >= before) continue;
      const at = new Date(BEGIN + Math.floor(minute / step) * step * MINUTE)
        .toISOString()
        .replace('.000', '');
      counts.set(at, (counts.get(at) ?? 0) + 1);
    }
    return [...counts.entries()].toSorted(([a], [b]) => byText(a, b));
  };
  const series = Map.groupBy(readings, ({ rack, keg }) => JSON.stringify([rack, keg]));
  const latest = [...series.entries()]
    .map(([name, ofSeries]) => {
      const [rack, keg] = JSON.parse(name) as [string, string];
      const last = ofSeries.reduce((a, b) => ((a.second - b.second || a.value - b.value) > 0 ? a : b));
      return { rack, keg, timestamp: timestampOf(last), value: last.value };
    })
    .toSorted((a, b) => byText(a.rack, b.rack) || byText(a.keg, b.keg));
  const racks = [...Map.groupBy(copies, ({ rack }) => rack).entries()]
    .map(([rack, ofRack]) => ({
      rack,
      lastSeenAt: receivedAtOf(Math.max(...ofRack.map(({ minute }) => minute))),
      kegs: new Set(ofRack.map(({ keg }) => keg)).size,
    }))
    .toSorted((a, b) => byText(a.rack, b.rack));
  return {
    readings: readings.length,
    countsBy,
    latest,
    racks,
  };
}

/** As the sink does it: the same lines again until ClickHouse has them. */
async function store(
  cellar: string,
  { copies, merge }: Insert,
  killAfterMs: number | undefined,
): Promise<void> {
  const lines = copies.map((one) =>
    JSON.stringify({
      ...{ cellar, rack: one.rack, keg: one.keg, value: one.value },
      ...{ timestamp: timestampOf(one), received_at: receivedAtOf(one.minute), key_id: 'key' },
    }),
  );
  await whileKilled(killAfterMs, () =>
    insertLines(harness.clickhouse, {
      table: 'readings_stored',
      lines: Buffer.from(`${lines.join('\n')}\n`),
      rows: lines.length,
    }),
  );
  if (!merge) return;
  for (const table of ['readings_stored', 'readings_by_time', 'series_latest']) {
    await harness.clickhouse.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
  }
}

/** As the sink does when nothing more can come into an hour. */
async function settle(killAfterMs: number | undefined): Promise<void> {
  await whileKilled(killAfterMs, async () => {
    for (;;) {
      const hour = await nextHour(harness.clickhouse);
      if (hour === undefined || hour.getTime() >= BEGIN + 120 * MINUTE) return;
      await rollUpHour(harness.clickhouse, hour);
    }
  });
}

/** Does the work until it succeeds, with ClickHouse killed once on the way. */
async function whileKilled(killAfterMs: number | undefined, work: () => Promise<void>): Promise<void> {
  await Promise.all([
    retryUntilDone(work, { onRetry: () => (retries += 1), maxDelayMs: 200 }),
    // The work may be done before that.
    killAfterMs === undefined ? undefined : clickhouse.kill(killAfterMs),
  ]);
}

/** All histories lie in the same hours. */
async function forgetSettled(): Promise<void> {
  for (const table of ['settled_until', 'settled_counts']) {
    await harness.clickhouse.command({ query: `TRUNCATE TABLE ${table}` });
  }
}

/** Query knows that ClickHouse is back. */
async function isReady(): Promise<boolean> {
  return (await fetch(`${harness.queryUrl}/readyz`)).ok;
}

interface Bucket {
  at: string;
  readings: number;
  isComplete: boolean;
}

let retries = 0;

test('every response is what all replicas together store', { timeout: 240_000 }, async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(history, async ({ early, isSettled, late, firstKillAfterMs, kill, cut }) => {
      const cellar = `c${run++}`;
      const copies = [...early, ...late].flatMap((insert) => insert.copies);
      await forgetSettled();
      const killIn = (step: number | 'settling') =>
        step === 0 ? firstKillAfterMs : step === kill.step ? kill.afterMs : undefined;
      for (const [index, insert] of early.entries()) await store(cellar, insert, killIn(index));
      if (isSettled) await settle(killIn('settling'));
      for (const [index, insert] of late.entries()) await store(cellar, insert, killIn(early.length + index));
      const expected = expectedOf(copies);
      await expect.poll(() => isReady(), { timeout: 30_000 }).toBe(true);
      const ask = async <Body>(path: string): Promise<Body> => {
        const answer = await harness.ask<Body>(`/cellars/${cellar}/${path}`);
        expect(answer.status, answer.text).toBe(200);
        return answer.body;
      };

      const from = new Date(BEGIN).toISOString();
      const counts = async (query: string) => {
        const { buckets } = await ask<{ buckets: Bucket[] }>(`counts?from=${from}&${query}`);
        expect(buckets.every(({ isComplete }) => isComplete)).toBe(true);
        return buckets.map(({ at, readings }) => [at, readings]);
      };
      expect(await counts('step=300')).toEqual(expected.countsBy(5, 180));
      // Before the readings of that minute.
      const to = new Date(BEGIN + cut * MINUTE + 100).toISOString();
      expect(await counts(`step=60&to=${to}`)).toEqual(expected.countsBy(1, cut));

      const { readings } = await ask<{ readings: object[] }>('readings');
      expect(readings).toHaveLength(expected.readings);
      const { series } = await ask<{ series: object[] }>('latest');
      expect(series).toMatchObject(expected.latest);
      expect(series).toHaveLength(expected.latest.length);
      const { racks } = await ask<{ racks: object[] }>('racks');
      expect(racks).toMatchObject(expected.racks);
      expect(racks).toHaveLength(expected.racks.length);

      const points = await Promise.all(
        expected.latest.map(({ rack, keg }) =>
          ask<{ series: [{ points: { count: number; last: number }[] }] }>(
            `series?rack=${encodeURIComponent(rack)}&keg=${keg}&from=${from}&points=2`,
          ).then(({ series: [one] }) => one),
        ),
      );
      expect(points.flatMap((one) => one.points).reduce((sum, { count }) => sum + count, 0)).toBe(
        expected.readings,
      );
      expect(points.map((one) => one.points.at(-1)?.last)).toEqual(expected.latest.map(({ value }) => value));
    }),
    { numRuns: RUNS },
  );
  // Otherwise no kill hit anything.
  expect(retries).toBeGreaterThan(0);
});
