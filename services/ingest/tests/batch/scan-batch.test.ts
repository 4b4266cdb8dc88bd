import { expect, it } from 'vitest';
import { createLineArena } from '../../src/batch/scan/line-arena.ts';
import { readLines } from '../../src/batch/scan/read-lines.ts';
import { createRejectedReadings } from '../../src/batch/scan/rejected-readings.ts';
import { openReservation } from '../../src/batch/reservation.ts';
import { scanBatch } from '../../src/batch/scan/scan-batch.ts';
import { createByteBudget } from '../../src/shed-load/byte-budget.ts';
import { toKnownKey } from '../../src/key-cache/known-key.ts';
import { openCharge } from '../../src/rate-limit/charge.ts';
import { keyRecord } from '../../../../libs/key-service-client/tests/key-record.ts';
import { reading } from '../ingest-app.ts';
import { linesOf } from './send-batch.ts';

const READINGS = 10_000;

/** Scans a batch of a key with the given tokens. Returns how many readings were scanned and how often it yielded. */
async function scan(tokens: number, msPerReading = 0) {
  const body = Buffer.from(linesOf(Array.from({ length: READINGS }, () => reading())));
  const memory = openReservation(createByteBudget({ maxBytes: 1e9 }), 'key');
  const lines = readLines(body, 16_384);
  let scanned = 0;
  let yields = 0;
  const limiter = { takeMore: () => 0, available: () => Promise.resolve(tokens - 1) };
  const policy = { perSecond: 1_000, burst: 100_000 };
  let now = 0;
  const outcome = await scanBatch({
    length: body.length,
    reader: {
      bytes: lines.bytes,
      next() {
        const next = lines.next();
        if (next !== undefined) scanned++;
        return next;
      },
      get position() {
        return lines.position;
      },
    },
    key: toKnownKey(keyRecord()),
    checkReading: () => {
      now += msPerReading;
      return undefined;
    },
    receivedMs: 0,
    headers: {},
    lines: createLineArena({ receivedAt: '', keyId: '', bodyLength: body.length, memory }),
    rejected: createRejectedReadings(memory, () => undefined),
    maxReadings: READINGS,
    charge: openCharge({ limiter, keyId: 'key', policy, paid: 1 }),
    yieldToEventLoop: () => {
      yields++;
      return Promise.resolve();
    },
    monotonic: () => now,
  }).catch((error: unknown) => error);
  return { outcome, scanned, yields };
}

it('stops soon after the key cannot pay, and guesses the wait from how much of the body it has seen', async () => {
  const { outcome, scanned } = await scan(2_000);
  expect(outcome).toMatchObject({ name: 'RateExceeded' });
  expect(scanned).toBeGreaterThan(2_000);
  expect(scanned).toBeLessThanOrEqual(2_001);
  // 10,000 are needed, 1,999 are there, 1,000 a second come.
  expect((outcome as { waitMs: number }).waitMs).toBeGreaterThan(7_900);
  expect((outcome as { waitMs: number }).waitMs).toBeLessThan(8_100);
});

it('looks at no more than the first slice when the key has nothing', async () => {
  const { outcome, scanned } = await scan(1);
  expect(outcome).toMatchObject({ name: 'RateExceeded' });
  expect(scanned).toBeLessThanOrEqual(128);
});

it('scans in slices all that the key can pay for', async () => {
  const { outcome, scanned, yields } = await scan(READINGS);
  expect(outcome).toMatchObject({ count: READINGS, rejection: undefined });
  expect(scanned).toBe(READINGS);
  expect(yields).toBeGreaterThanOrEqual(READINGS / 500);
});

it('ends a slice that takes long', async () => {
  const { outcome, yields } = await scan(READINGS, 0.1);
  expect(outcome).toMatchObject({ count: READINGS });
  // A second of work.
  expect(yields).toBeGreaterThanOrEqual(500);
});
