import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSelect } from '../../services/query/src/clickhouse/select.ts';
import type { Select } from '../../services/query/src/clickhouse/select.ts';
import { createSlots } from '../../services/query/src/clickhouse/slots.ts';
import { streamReadings } from '../../services/query/src/readings/select-readings.ts';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';

/** Pages of lines: where one ends is looked for before its rows are, and readings arrive between the two. */
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const never = new AbortController().signal;

test.each([
  { stored: ['a1', 'a2', 'b1', 'b2'], order: 'asc' },
  { stored: ['a1', 'a2', 'b1', 'b2'], order: 'desc' },
  // The last page is exactly full, or is not.
  { stored: ['a1', 'a2', 'b1'], order: 'asc' },
  { stored: ['a1', 'a2'], order: 'asc' },
] as const)(
  'hold all that was there, whatever arrives meanwhile: $stored.length $order',
  async ({ stored, order }) => {
    const cellar = `arriving-${stored.length}-${order}`;
    await harness.store(stored.map((rack) => ({ cellar, rack })));
    const select = createSelect({
      clickhouse: harness.clickhouse,
      slots: createSlots({ running: 1, runningPerReader: 1, waiting: 0, waitMs: 0 }),
      timeoutSeconds: 30,
      maxMemoryBytes: 1_000_000_000,
      streamMaxSeconds: 30,
    })({ id: 'test' });
    let arrivals = 0;
    const busy: Select = {
      ...select,
      async rows<Row>(...args: Parameters<Select['rows']>) {
        const found = await select.rows<Row>(...args);
        // In front of what the page has, in both orders.
        arrivals += 1;
        const [one, other] = order === 'asc' ? ['a0', 'a00'] : ['c', 'd'];
        await harness.store([
          { cellar, rack: `${one}-${arrivals}` },
          { cellar, rack: `${other}-${arrivals}` },
        ]);
        return found;
      },
    };

    const racks: string[] = [];
    let cursor: string | null | undefined;
    for (let page = 0; cursor !== null && page < 10; page++) {
      const list = { order, limit: 3, ...(cursor === undefined ? {} : { cursor }) };
      const query = { cellar, limit: { rack: null, prefix: null }, range: {}, list, units: [] };
      const { lines, nextCursor } = await streamReadings(busy, query, 'ndjson', never);
      for await (const text of lines) {
        racks.push(
          ...text
            .trim()
            .split('\n')
            .map((line) => (JSON.parse(line) as { rack: string }).rack),
        );
      }
      cursor = nextCursor;
    }
    const there = racks.filter((rack) => (stored as readonly string[]).includes(rack));
    expect(there).toEqual(order === 'asc' ? stored : stored.toReversed());
    expect(new Set(racks).size).toBe(racks.length);
  },
);
