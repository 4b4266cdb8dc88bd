import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSpool } from '../src/spool/spool.ts';
import type { Spool } from '../src/spool/spool.ts';

/* What is on disk after a power failure: everything before the last fsync, and anything of what came after it. */

// A machine may be busy, and nothing in here is about time.
vi.setConfig({ testTimeout: 120_000 });

/** In memory where there is such a file system: thousands of `fsync` take long on a disk, and these tests cut files by themselves. */
const PARENT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

let folder: string;
let path: string;
const open = () => openSpool({ path, maxBytes: 1e9, dropsOldest: false, onBroken: () => undefined });
const put = (spool: Spool, count: number, from: number) =>
  spool.add([
    { bodies: Array.from({ length: count }, (_, index) => bodyOf(from + index)), isBackfill: false },
  ]);
const bodyOf = (number: number) => JSON.stringify({ number, text: 'x'.repeat(number % 300) });

beforeEach(async () => {
  folder = await mkdtemp(join(PARENT, 'cellarman-spool-'));
  path = join(folder, 'spool');
});
afterEach(() => rm(folder, { recursive: true }));

/** The readings of a spool, which are the first ones that were put, in order. @returns how many there are */
function survivors(database: Buffer, log: Buffer): number {
  writeFileSync(path, database);
  writeFileSync(`${path}-wal`, log);
  const spool = open();
  const bodies = spool.next('fresh', { readings: 1e6, bytes: 1e9 })?.bodies ?? [];
  expect(bodies.every((body, number) => body === bodyOf(number))).toBe(true);
  expect(spool.counters().waiting).toBe(bodies.length);
  expect(spool.counters().bytes).toBe(bodies.reduce((sum, body) => sum + body.length, 0));
  // It can also be written.
  spool.add([{ bodies: ['{}'], isBackfill: false }]);
  spool.close();
  return bodies.length;
}

/** Puts 1 to 20 readings at a time. @returns how many were put when the log had which size */
function fill(spool: Spool, puts: number): { size: number; count: number }[] {
  let count = 0;
  return Array.from({ length: puts }, (_, index) => {
    const more = 1 + (index % 20);
    put(spool, more, count);
    count += more;
    return { size: statSync(`${path}-wal`).size, count };
  });
}

test.each([
  ['every byte of the last commit', { puts: 5, since: -2, step: () => 1 }],
  [
    'many positions of the last six',
    { puts: 60, since: -7, step: (end: number) => (end % 4_120 < 60 ? 7 : 211) },
  ],
])('a log that ends at %s, or in garbage, has every reading that was acknowledged before', (_, cut) => {
  const spool = open();
  const commits = fill(spool, cut.puts);
  const [database, log] = [readFileSync(path), readFileSync(`${path}-wal`)];
  spool.close();
  let tries = 0;
  for (let end = commits.at(cut.since)?.size ?? 0; end <= log.length; end += cut.step(end)) {
    const acknowledged = commits.findLast(({ size }) => size <= end)?.count ?? 0;
    const tails = [
      Buffer.alloc(0),
      Buffer.alloc(log.length - end),
      Buffer.alloc(log.length - end, 'garbage'),
    ];
    const tail = tails[tries++ % tails.length] as Buffer;
    expect(survivors(database, Buffer.concat([log.subarray(0, end), tail])), `log cut at ${end}`).toBe(
      acknowledged,
    );
  }
  expect(tries).toBeGreaterThan(150);
});

test('a power failure while the log is copied into the database loses nothing', () => {
  const spool = open();
  fill(spool, 200);
  put(spool, 2_000, 2_100);
  const [before, log] = [readFileSync(path), readFileSync(`${path}-wal`)];
  spool.close();
  const after = readFileSync(path);
  for (let end = 0; end < after.length; end += 4_443) {
    // Pages are written in any order.
    const [first, second] = end % 2 === 0 ? [after, before] : [before, after];
    const mixed = Buffer.concat([first.subarray(0, end), second.subarray(end)]);
    expect(survivors(mixed, log), `database mixed at ${end}`).toBe(4_100);
  }
});

test('a database that was cut off is replaced, and what is readable of it is kept', () => {
  const spool = open();
  put(spool, 3_000, 0);
  spool.close();
  const whole = readFileSync(path);
  for (let end = 0; end < whole.length; end += 5_003) {
    writeFileSync(path, whole.subarray(0, end));
    const opened = open();
    // Reading finds what opening did not.
    const bodies = opened.next('fresh', { readings: 1e6, bytes: 1e9 })?.bodies ?? [];
    const numbers = bodies.map((body) => (JSON.parse(body) as { number: number }).number);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(bodies.every((body, index) => body === bodyOf(numbers[index] ?? 0))).toBe(true);
    expect(opened.status().brokenFiles).toBe(end === 0 ? 0 : 1);
    // All but those of the page that was cut, and of pages behind it.
    expect(bodies.length).toBeGreaterThanOrEqual(3_000 * (end / whole.length - 0.1));
    put(opened, 1, 0);
    opened.close();
  }
});

test('the database of another program is not touched', () => {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE readings (mine)');
  database.close();
  const before = readFileSync(path);
  expect(open).toThrow(expect.objectContaining({ code: 'spool_failed' }));
  expect(readFileSync(path)).toEqual(before);
});
