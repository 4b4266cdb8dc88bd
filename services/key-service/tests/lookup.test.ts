import type { KeyRecord, LookupResult } from '@cellarman/contracts';
import { describe, expect, test, vi } from 'vitest';
import { createFollowedPosition } from '../src/lookup/followed-position.ts';
import { createLookup } from '../src/lookup/lookup.ts';
import { createUnknownKeys } from '../src/lookup/unknown-keys.ts';

const HASH = 'a'.repeat(64);
const record = (retentionDays: number) => ({ id: 'key', hash: HASH, retentionDays }) as KeyRecord;

/** A lookup whose PostgreSQL queries are completed by the test, in any order. */
function setUp() {
  const clock = vi.fn(() => 0);
  const position = createFollowedPosition({ clock, maxAgeMs: 1_000 });
  position.beginPull()({ epoch: 'e', number: 10 });
  const questions: { resolve(answer: LookupResult): void; reject(error: Error): void }[] = [];
  const cache = {
    read: vi.fn().mockResolvedValue(undefined),
    write: vi.fn().mockResolvedValue(undefined),
  };
  const lookUp = createLookup({
    position,
    cache,
    unknownKeys: createUnknownKeys({ clock, keepMs: 500, maxEntries: 2 }),
    findKey: () => new Promise((resolve, reject) => questions.push({ resolve, reject })),
  });
  const question = async (index: number) =>
    vi.waitFor(() => {
      const asked = questions[index];
      if (asked === undefined) throw new Error(`question ${index} was not asked`);
      return asked;
    }, 20_000);
  return { clock, position, cache, lookUp, questions, question };
}

describe('one query at a time', () => {
  test('is sent for a key; later callers share its result', async () => {
    const { lookUp, questions, question } = setUp();
    const answers = Promise.all(Array.from({ length: 50 }, () => lookUp(HASH)));
    (await question(0)).resolve({ epoch: 'e', number: 10, key: record(1) });
    expect(new Set(await answers).size).toBe(1);
    expect(questions).toHaveLength(1);
  });

  test('another is sent when the result in flight may be too old', async () => {
    const { lookUp, questions, question, position } = setUp();
    const before = lookUp(HASH);
    await question(0);
    position.committed({ epoch: 'e', number: 11 });
    const after = lookUp(HASH);
    const wanted = lookUp(HASH, 12);
    await question(2);
    questions[0]?.resolve({ epoch: 'e', number: 10, key: record(1) });
    questions[1]?.resolve({ epoch: 'e', number: 11, key: record(2) });
    questions[2]?.resolve({ epoch: 'e', number: 12, key: record(3) });
    expect(await Promise.all([before, after, wanted])).toMatchObject([
      { number: 10 },
      { number: 11 },
      { number: 12 },
    ]);
  });

  test('another is sent when it is for another epoch', async () => {
    const { lookUp, question, position } = setUp();
    void lookUp(HASH);
    await question(0);
    position.beginPull()({ epoch: 'f', number: 5 });
    const after = lookUp(HASH);
    (await question(1)).resolve({ epoch: 'f', number: 5, key: null });
    expect(await after).toEqual({ epoch: 'f', number: 5, key: null });
  });

  test('another is sent when the one in flight comes from a restarted history, and lacks what the caller knows', async () => {
    const { lookUp, question } = setUp();
    const first = lookUp(HASH);
    await question(0);
    // A fail-over that this replica has not noticed: the asker has pulled number 3 of the new history.
    const second = lookUp(HASH, 3);
    (await question(0)).resolve({ epoch: 'f', number: 2, key: record(1) });
    (await question(1)).resolve({ epoch: 'f', number: 3, key: record(2) });
    expect(await Promise.all([first, second])).toMatchObject([{ number: 2 }, { number: 3, key: record(2) }]);
  });

  test('a failure is reported to all who wait, and forgotten', async () => {
    const { lookUp, question } = setUp();
    const both = [lookUp(HASH), lookUp(HASH)];
    (await question(0)).reject(new Error('away'));
    for (const answer of both) await expect(answer).rejects.toThrow('away');
    const again = lookUp(HASH);
    (await question(1)).resolve({ epoch: 'e', number: 10, key: null });
    expect((await again).key).toBeNull();
  });
});

describe('a copy in Redis', () => {
  const copy = (applied: number, epoch = 'e') => ({
    state: { epoch, applied, generation: 'g' },
    key: record(1),
  });

  test.each([
    ['counts when it includes all that is known', copy(10), true],
    ['counts when it includes more', copy(11), true],
    ['does not count when it may be older', copy(9), false],
    ['does not count when it belongs to another epoch', copy(10, 'f'), false],
  ])('%s', async (_case, cached, counts) => {
    const { lookUp, cache, questions, question } = setUp();
    cache.read.mockResolvedValue(cached);
    const answer = lookUp(HASH);
    if (counts) {
      expect(await answer).toEqual({ epoch: 'e', number: cached.state.applied, key: cached.key });
      expect(questions).toHaveLength(0);
      return;
    }
    (await question(0)).resolve({ epoch: 'e', number: 10, key: record(2) });
    expect(await answer).toMatchObject({ key: record(2) });
  });

  test('does not count when this replica has not heard of PostgreSQL for too long', async () => {
    const { lookUp, cache, clock, question } = setUp();
    cache.read.mockResolvedValue(copy(10));
    clock.mockReturnValue(1_001);
    const answer = lookUp(HASH);
    (await question(0)).reject(new Error('away'));
    await expect(answer).rejects.toThrow('away');
  });
});

describe('an unknown key', () => {
  const unknown = { epoch: 'e', number: 10, key: null };

  test('stays unknown while nothing has changed, for a while', async () => {
    const { lookUp, clock, questions, question } = setUp();
    const first = lookUp(HASH);
    (await question(0)).resolve(unknown);
    expect(await first).toEqual(unknown);
    expect(await lookUp(HASH)).toEqual(unknown);
    expect(questions).toHaveLength(1);
    clock.mockReturnValue(500);
    void lookUp(HASH);
    await question(1);
  });

  test.each([
    ['a change of this replica', { epoch: 'e', number: 11 }],
    ['another epoch', { epoch: 'f', number: 1 }],
  ])('is looked up again after %s', async (_case, next) => {
    const { lookUp, position, question } = setUp();
    const first = lookUp(HASH);
    (await question(0)).resolve(unknown);
    await first;
    position.committed(next);
    void lookUp(HASH);
    await question(1);
  });

  test('is forgotten when there are too many', async () => {
    const { lookUp, question, questions } = setUp();
    const hashes = ['b', 'c', 'd'].map((digit) => digit.repeat(64));
    for (const [i, hash] of hashes.entries()) {
      const answer = lookUp(hash);
      (await question(i)).resolve(unknown);
      await answer;
    }
    await lookUp(hashes[2] ?? '');
    expect(questions).toHaveLength(3);
    void lookUp(hashes[0] ?? '');
    await question(3);
  });
});
