import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { readingLine } from '../../../libs/reading/tests/reading-line.ts';
import { startKeyServiceStub } from './key-service-stub.ts';
import type { KeyServiceStub } from './key-service-stub.ts';
import { openHarness, OUR_HEADERS } from './harness.ts';
import type { Harness } from './harness.ts';

const READINGS = 120;
let keyService: KeyServiceStub;
let harness: Harness;

beforeAll(async () => {
  keyService = await startKeyServiceStub();
  harness = await openHarness(inject('engines'), { KEY_SERVICE_URL: keyService.url });
});
afterAll(async () => {
  await harness.close();
  keyService.close();
});

it('dead letters reach key-service, and a replay survives kill -9 of the sink: each reading is stored once', async () => {
  // An operator's own rule makes dead letters of valid readings, and is removed later.
  const rule = (change: string) =>
    harness.clickhouse.command({ query: `ALTER TABLE readings_stored ${change}` });
  await rule('ADD CONSTRAINT no_frost CHECK value > 0');
  const values = Array.from({ length: READINGS }, (_, index) => readingLine({ value: String(-1 - index) }));
  await harness.send([...values, 'not a reading'].map((value) => ({ value, partition: 0 })));
  let sink = await harness.startSink({ MAX_BAD_ROWS_IN_A_ROW: '0' });
  const offsets = () => new Set(keyService.copied.map(({ offset }) => offset));
  await expect.poll(() => offsets().size, { timeout: 60_000 }).toBe(READINGS + 1);
  expect(keyService.copied[0]).toMatchObject({ topic: harness.env['READINGS_TOPIC'], partition: 0 });
  expect(keyService.copied.some(({ reason }) => reason.includes('no_frost'))).toBe(true);
  await rule('DROP CONSTRAINT no_frost');

  // Killed twice after the insert, before key-service has taken the results.
  let kills = 0;
  keyService.onResults = async () => {
    if (kills === 2) return;
    kills++;
    await sink.kill('SIGKILL');
    sink = await harness.startSink({ MAX_BAD_ROWS_IN_A_ROW: '0' });
    throw new Error('the sink that reported is dead');
  };
  const unique = new Map(keyService.copied.map((letter) => [letter.offset, letter]));
  keyService.replays = [...unique.values()].map(({ offset, value, headers }) => ({
    id: offset,
    value,
    headers,
  }));

  await expect.poll(() => keyService.replays.length, { timeout: 100_000 }).toBe(0);
  expect(kills).toBe(2);
  expect(await harness.query('SELECT count(), uniqExact(value), max(value) FROM readings')).toEqual([
    [READINGS, READINGS, -1],
  ]);
  const rejected = keyService.results.filter((result) => result.rejected !== null);
  expect(rejected).toMatchObject([{ rejected: expect.stringContaining('not a JSON object') as string }]);
  expect(OUR_HEADERS['schema-version']).toBe(keyService.copied[0]?.headers['schema-version']);
});
