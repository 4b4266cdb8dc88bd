import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readingLine } from '../../../libs/reading/tests/reading-line.ts';
import { OUR_HEADERS, openHarness } from './harness.ts';
import type { Harness } from './harness.ts';

const READINGS = 300;

/** What ingest of a later release writes: a header and an optional field more, within version 1 of the topic. */
const nextRelease = (index: number) => ({
  value: readingLine({ value: String(index), unit: '"°C"', tags: '{"site":"north"}' }),
  headers: { ...OUR_HEADERS, 'x-quality': 'good' },
});
const thisRelease = (index: number) => ({ value: readingLine({ value: String(index) }) });

describe('releases beside each other on one topic', () => {
  let harness: Harness;

  beforeAll(async () => {
    harness = await openHarness(inject('engines'), { MAX_BAD_ROWS_IN_A_ROW: '10' });
    await harness.startSink();
  });
  afterAll(() => harness.close());

  const stored = () => harness.query('SELECT count(), uniqExact(value) FROM readings');

  it('the sink stores what ingest of a later release wrote, and ignores what it does not know', async () => {
    await harness.send(Array.from({ length: READINGS }, (_, index) => nextRelease(index)));
    await expect.poll(stored, { timeout: 30_000 }).toEqual([[READINGS, READINGS]]);
  });

  it('the sink goes on when a later release has added its column, with lines of both', async () => {
    for (const table of ['readings_stored', 'readings_check'])
      await harness.clickhouse.command({ query: `ALTER TABLE ${table} ADD COLUMN unit String DEFAULT ''` });
    const both = [nextRelease, thisRelease].flatMap((write, half) =>
      Array.from({ length: READINGS }, (_, index) => write((half + 1) * READINGS + index)),
    );
    await harness.send(both);
    await expect.poll(stored, { timeout: 30_000 }).toEqual([[3 * READINGS, 3 * READINGS]]);
    // A line that the later sink writes fits beside those of this one.
    await harness.clickhouse.command({
      query: `INSERT INTO readings_stored FORMAT JSONEachRow ${readingLine({ value: '-1', unit: '"°C"' })}`,
    });
    await expect
      .poll(() => harness.query("SELECT count(), countIf(unit = '°C') FROM readings_stored FINAL"))
      .toEqual([[3 * READINGS + 1, 1]]);
    expect(await harness.deadLetters()).toEqual([]);
  });
});
