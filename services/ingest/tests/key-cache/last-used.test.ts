import type { LastUsedRequest } from '@cellarman/contracts';
import { expect, it } from 'vitest';
import { toKnownKey } from '../../src/key-cache/known-key.ts';
import type { KnownKey } from '../../src/key-cache/known-key.ts';
import { createLastUsed } from '../../src/key-cache/last-used.ts';
import { silent } from '../ingest-app.ts';
import { keyRecord } from '../../../../libs/key-service-client/tests/key-record.ts';

function setUp() {
  const known: KnownKey[] = [];
  const reports: LastUsedRequest['uses'][] = [];
  let away = false;
  const lastUsed = createLastUsed({
    keyService: {
      reportLastUsed: (uses) => {
        if (away) return Promise.reject(new Error('away'));
        reports.push(uses);
        return Promise.resolve();
      },
    },
    intervalMs: 60_000,
    logger: silent,
  });
  lastUsed.follow(() => known);
  function use(id: string, lastUsedMs: number): KnownKey {
    const key = { ...toKnownKey(keyRecord({ id })), lastUsedMs };
    known.push(key);
    return key;
  }
  return { lastUsed, known, reports, use, setAway: (value: boolean) => void (away = value) };
}

const at = (ms: number) => new Date(ms).toISOString();

it('reports each use once', async () => {
  const { lastUsed, reports, use } = setUp();
  const key = use('a', 1_000);
  use('never used', 0);
  await lastUsed.report();
  await lastUsed.report();
  key.lastUsedMs = 2_000;
  await lastUsed.report();
  expect(reports).toEqual([[{ id: 'a', at: at(1_000) }], [{ id: 'a', at: at(2_000) }]]);
});

it('keeps what could not be told, and the use of a key that was dropped', async () => {
  const { lastUsed, known, reports, use, setAway } = setUp();
  const dropped = use('dropped', 1_000);
  use('known', 2_000);
  setAway(true);
  await lastUsed.report();
  lastUsed.keep(dropped);
  known.splice(known.indexOf(dropped), 1);
  setAway(false);
  await lastUsed.report();
  expect(reports.flat()).toEqual([
    { id: 'dropped', at: at(1_000) },
    { id: 'known', at: at(2_000) },
  ]);
});

it('sends many in several requests', async () => {
  const { lastUsed, reports, use } = setUp();
  for (let n = 0; n < 2_500; n++) use(`key-${n}`, 1_000);
  await lastUsed.report();
  expect(reports.map((uses) => uses.length)).toEqual([1_000, 1_000, 500]);
});
