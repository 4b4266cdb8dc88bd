import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { collectBytes } from '../../src/batch/receive/collect-bytes.ts';
import { decompress } from '../../src/batch/receive/decompress.ts';
import { openReservation } from '../../src/batch/reservation.ts';
import { createByteBudget } from '../../src/shed-load/byte-budget.ts';
import { reading, startTestApp } from '../ingest-app.ts';
import type { TestApp } from '../ingest-app.ts';
import { arrayOf, COMPRESS, sendBatch } from './send-batch.ts';

describe('collected bytes', () => {
  it('are all there in order, were paid for before, and are released', () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
    fc.assert(
      fc.property(chunks, fc.nat(2_000), fc.integer({ min: 1, max: 4_000 }), (list, paid, limit) => {
        const budget = createByteBudget({ maxBytes: 100_000 });
        const memory = openReservation(budget, 'a key');
        const collector = collectBytes({ paid, limit, memory });
        const whole = Buffer.concat(list);
        try {
          for (const chunk of list) collector.add(Buffer.from(chunk));
          expect(whole.length).toBeLessThanOrEqual(limit);
          expect(collector.bytes().equals(whole)).toBe(true);
          expect(budget.reservedBytes).toBe(collector.reserved);
          expect(collector.reserved + Math.min(paid, limit)).toBeGreaterThanOrEqual(
            Math.min(whole.length, limit),
          );
        } catch (error) {
          expect(error).toMatchObject({ code: 'payload_too_large' });
          expect(whole.length).toBeGreaterThan(limit);
        }
        memory.release();
        expect(budget.reservedBytes).toBe(0);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a bomb', () => {
  it.each(['gzip', 'deflate', 'br', 'zstd'] as const)(
    'of %s takes at most twice the limit',
    async (encoding) => {
      const limit = 1_000_000;
      let most = 0;
      const budget = createByteBudget({ maxBytes: 100_000_000 });
      const watched = {
        ...budget,
        reserve(owner: string, bytes: number) {
          const granted = budget.reserve(owner, bytes);
          most = Math.max(most, budget.reservedBytes);
          return granted;
        },
      };
      const memory = openReservation(watched, 'a key');
      const pay = () => undefined;
      const bomb = COMPRESS[encoding](Buffer.alloc(50_000_000));
      await expect(decompress(bomb, encoding, { limit, memory, pay })).rejects.toMatchObject({
        code: 'payload_too_large',
      });
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(2 * limit);
    },
  );
});

describe('many large batches at a time', () => {
  let app: TestApp;
  afterEach(() => app.close());

  it('are stored or rejected whole for want of memory, and leave none of it behind', async () => {
    app = await startTestApp({ config: { MAX_BODIES_BYTES: 1_500_000 } });
    // Those of one key are worked on one by one.
    const keys = Array.from({ length: 12 }, () => app.keyService.addKey());
    const readings = Array.from({ length: 2_000 }, (_, n) => reading({ rack: `r${n}` }));
    const body = COMPRESS.gzip(arrayOf(readings));
    const send = (apiKey: string) => sendBatch(app.url, apiKey, body, { 'content-encoding': 'gzip' });
    const answers = await Promise.all(keys.map(send));
    const statuses = answers.map(({ status }) => status);
    const stored = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(12);
    expect(app.published).toHaveLength(stored * readings.length);
    // One after the other they all pass: every reservation has been released.
    for (const apiKey of keys.slice(0, 5)) expect((await send(apiKey)).status).toBe(200);
  });
});
