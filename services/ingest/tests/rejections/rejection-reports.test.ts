import type { RejectionsRequest } from '@cellarman/contracts';
import { expect, test } from 'vitest';
import { createRejectionCounts } from '../../src/rejections/rejection-counts.ts';
import { createRejectionReports } from '../../src/rejections/rejection-reports.ts';
import { silent } from '../ingest-app.ts';

function setUp() {
  const reports: RejectionsRequest[] = [];
  let now = 1_000;
  let isAway = false;
  const clock = { now: () => now };
  const counts = createRejectionCounts({ maxKinds: 10_000, clock });
  const reporting = createRejectionReports({
    keyService: {
      reportRejections: async (request) => {
        reports.push(request);
        if (isAway) throw new Error('no answer');
      },
    },
    ...{ counts, clock, intervalMs: 60_000, logger: silent },
  });
  return {
    ...{ reports, counts, report: () => reporting.report() },
    pass: (ms: number) => void (now += ms),
    setAway: (value: boolean) => void (isAway = value),
  };
}

test('a report that got no response is sent again under its number, before anything newer', async () => {
  const { reports, counts, report, pass, setAway } = setUp();
  counts.note('a', 'invalid_reading', '"value" is missing');
  setAway(true);
  await report();
  counts.note('a', 'invalid_reading', '"value" is missing');
  pass(5_000);
  setAway(false);
  await report();
  const [{ reporter } = { reporter: '' }] = reports;
  const rejected = { keyId: 'a', code: 'invalid_reading', field: 'value', rack: null, count: 1 };
  const detail = '"value" is missing';
  const of = { reporter, unauthenticated: { missing: 0, unknown: 0 } };
  expect(reports).toEqual([
    { ...of, sequence: 1, refusals: [{ ...rejected, detail, agoMs: 0 }] },
    { ...of, sequence: 1, refusals: [{ ...rejected, detail, agoMs: 5_000 }] },
    { ...of, sequence: 2, refusals: [{ ...rejected, detail, agoMs: 5_000 }] },
  ]);
});

test('nothing is reported when nothing was rejected, and much in several reports', async () => {
  const { reports, counts, report } = setUp();
  await report();
  expect(reports).toEqual([]);
  for (let i = 0; i < 2_500; i++) counts.note(`key-${i}`, 'rate_limited', '');
  await report();
  expect(reports.map(({ sequence, refusals }) => [sequence, refusals.length])).toEqual([
    [1, 1_000],
    [2, 1_000],
    [3, 500],
  ]);
});

test('requests without a known key are reported once, also when nothing else was rejected', async () => {
  const { reports, counts, report, setAway } = setUp();
  counts.noteUnauthenticated('unknown');
  setAway(true);
  await report();
  counts.noteUnauthenticated('missing');
  setAway(false);
  await report();
  await report();
  expect(reports.map(({ sequence, unauthenticated }) => [sequence, unauthenticated])).toEqual([
    [1, { missing: 0, unknown: 1 }],
    [1, { missing: 0, unknown: 1 }],
    [2, { missing: 1, unknown: 0 }],
  ]);
});

test('two that report concurrently send nothing twice', async () => {
  const { reports, counts, report } = setUp();
  counts.note('a', 'rate_limited', '');
  await Promise.all([report(), report()]);
  expect(reports).toHaveLength(1);
});
