import { expect, test } from 'vitest';
import { createLedger } from './ledger.ts';
import type { Ledger, StoredRow } from './ledger.ts';
import { countOutOfOrder } from './topic-rows.ts';

const SENT = 70_000;

function acknowledgeAll(): { ledger: Ledger; rows: StoredRow[] } {
  const ledger = createLedger({ cellar: 'demo', racks: 7 });
  const rows = Array.from({ length: SENT }, () => {
    const { number, reading } = ledger.next();
    ledger.record(number, 'acknowledged');
    const { rack, keg, value } = reading;
    const [whole = '', fraction = ''] = (reading.timestamp ?? '').slice(0, -1).split('.');
    const timestamp = BigInt(Date.parse(`${whole}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
    return { rack, keg, value, timestamp };
  });
  return { ledger, rows };
}

const ROUND = {
  sent: SENT,
  acknowledged: SENT,
  stored: SENT,
  missing: 0,
  doubled: 0,
  changed: 0,
  examples: [],
};

test('everything acknowledged is stored once and as sent', async () => {
  const { ledger, rows } = acknowledgeAll();
  expect(await ledger.compare(rows)).toEqual(ROUND);
});

test('a lost acknowledgement turns it red', async () => {
  const { ledger, rows } = acknowledgeAll();
  rows.splice(1234, 1);
  expect(await ledger.compare(rows)).toMatchObject({ missing: 1, doubled: 0, changed: 0, stored: SENT - 1 });
});

test('a duplicated row turns it red', async () => {
  const { ledger, rows } = acknowledgeAll();
  const verdict = await ledger.compare([...rows, ...rows.slice(7, 8)]);
  expect(verdict).toMatchObject({ missing: 0, doubled: 1, changed: 0 });
});

test.each([
  ['value', (row: StoredRow) => ({ ...row, value: row.value + 2 ** -40 })],
  ['rack', (row: StoredRow) => ({ ...row, rack: `${row.rack}x` })],
  ['keg', (row: StoredRow) => ({ ...row, keg: 'humidity' })],
  ['timestamp', (row: StoredRow) => ({ ...row, timestamp: row.timestamp + 1n })],
])('a changed %s turns it red', async (_, change) => {
  const { ledger, rows } = acknowledgeAll();
  const stored = rows.map((row, i) => (i === 99 ? change(row) : row));
  expect(await ledger.compare(stored)).toMatchObject({ missing: 1, changed: 1 });
});

test('what was rejected or has no response may be stored or not', async () => {
  const { ledger, rows } = acknowledgeAll();
  const rejected = ledger.next();
  ledger.record(rejected.number, 'rejected');
  ledger.next();
  expect(await ledger.compare(rows)).toEqual({ ...ROUND, sent: SENT + 2 });
});

test('an acknowledgement stands, whatever the response to a second attempt', async () => {
  const { ledger, rows } = acknowledgeAll();
  ledger.record(5, 'rejected');
  ledger.record(5, 'acknowledged');
  expect(ledger.acknowledged()).toBe(SENT);
  expect(await ledger.compare(rows.slice(6))).toMatchObject({ missing: 6 });
});

test('senders of single racks, whose clients may set the timestamps', async () => {
  const ledger = createLedger({ cellar: 'demo', racks: 3, isTimedByClient: (rack) => rack === 2 });
  const { number, reading } = ledger.next(2);
  const later = ledger.next(2);
  for (const sent of [number, later.number]) ledger.record(sent, 'acknowledged');
  expect([reading, number, later.number]).toMatchObject([{ rack: 'rack-2' }, 2, 5]);
  expect(reading).not.toHaveProperty('timestamp');
  const row = { ...reading, timestamp: 1n };
  expect(await ledger.compare([row, { ...row, value: later.reading.value }])).toMatchObject({
    missing: 0,
    changed: 0,
  });
  expect(await ledger.compare([row, { ...row, value: 0.0008 }])).toMatchObject({ missing: 1, changed: 1 });
});

test('a reading that comes behind a later one of its rack is counted, a repetition is not', async () => {
  const values = [1, 2, 1, 4, 3, 5];
  async function* rows() {
    for (const value of values) yield { rack: 'r', keg: 'k', value, timestamp: 0n };
  }
  expect(await countOutOfOrder(rows())).toBe(1);
});
