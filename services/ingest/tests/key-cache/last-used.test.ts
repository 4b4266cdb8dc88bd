import type { LastUsedRequest } from '@cellarman/contracts';
import { expect, it } from 'vitest';
import { toKnownKey } from '../../src/key-cache/known-key.ts';
import type { KnownKey } from '../../src/key-cache/known-key.ts';
import { createLastUsed } from '../../src/key-cache/last-used.ts';
import { silent } from '../ingest-app.ts';
import { keyRecord } from '../../../../libs/key-service-client/tests/key-record.ts';

const INTERVAL_MS = 900_000;
/** A multiple of the interval: a key whose id begins with 0000000a is due 10 ms later, in all replicas. */
const NOW = 2_000_000 * INTERVAL_MS;

function setUp() {
  const known: KnownKey[] = [];
  const reports: LastUsedRequest['uses'][] = [];
  let away = false;
  let nowMs = NOW;
  const lastUsed = createLastUsed({
    keyService: {
      reportLastUsed: (uses) => {
        if (away) return Promise.reject(new Error('away'));
        reports.push(uses);
        return Promise.resolve();
      },
    },
    intervalMs: INTERVAL_MS,
    logger: silent,
    now: () => nowMs,
  });
  lastUsed.follow(() => known);
  function use(id: string, lastUsedMs: number): KnownKey {
    const key = { ...toKnownKey(keyRecord({ id })), lastUsedMs };
    known.push(key);
    return key;
  }
  return {
    ...{ lastUsed, known, reports, use },
    setAway: (value: boolean) => void (away = value),
    setNow: (ms: number) => void (nowMs = ms),
  };
}

const at = (ms: number) => new Date(ms).toISOString();

it('reports the first use immediately, and a later one when the key is due', async () => {
  const { lastUsed, reports, use, setNow } = setUp();
  const key = use('0000000a', 1_000);
  use('0000000b', 0);
  await lastUsed.report();
  await lastUsed.report();
  key.lastUsedMs = 2_000;
  setNow(NOW + 9);
  await lastUsed.report();
  expect(reports).toEqual([[{ id: '0000000a', at: at(1_000) }]]);
  setNow(NOW + 10);
  await lastUsed.report();
  expect(reports.slice(1)).toEqual([[{ id: '0000000a', at: at(2_000) }]]);
  key.lastUsedMs = 3_000;
  setNow(NOW + 9 + INTERVAL_MS);
  await lastUsed.report();
  expect(reports).toHaveLength(2);
  setNow(NOW + 10 + INTERVAL_MS);
  await lastUsed.report();
  expect(reports.slice(2)).toEqual([[{ id: '0000000a', at: at(3_000) }]]);
});

it('keeps what could not be reported, and the use of a key that was dropped', async () => {
  const { lastUsed, known, reports, use, setAway } = setUp();
  const dropped = use('0000000a', 1_000);
  use('0000000b', 2_000);
  setAway(true);
  await lastUsed.report();
  lastUsed.keep(dropped);
  known.splice(known.indexOf(dropped), 1);
  setAway(false);
  await lastUsed.report();
  expect(reports.flat()).toEqual([
    { id: '0000000a', at: at(1_000) },
    { id: '0000000b', at: at(2_000) },
  ]);
});

it('sends many in several requests', async () => {
  const { lastUsed, reports, use } = setUp();
  for (let n = 0; n < 2_500; n++) use(String(n).padStart(8, '0'), 1_000);
  await lastUsed.report();
  expect(reports.map((uses) => uses.length)).toEqual([1_000, 1_000, 500]);
});
