import type { LookupResult } from '@cellarman/contracts';
import { describe, expect, it } from 'vitest';
import { KeysUnavailableError } from '../../src/key-cache/keys-unavailable-error.ts';
import { toKnownKey } from '../../src/key-cache/known-key.ts';
import type { KnownKey } from '../../src/key-cache/known-key.ts';
import { createLookups } from '../../src/key-cache/lookups.ts';
import type { LookupsOptions } from '../../src/key-cache/lookups.ts';
import { keyRecord } from '../../../../libs/key-service-client/tests/key-record.ts';

const HASH = 'a'.repeat(64);

interface Asked {
  leave: () => number;
  answer: (answer: Partial<LookupResult>) => void;
  fail: () => void;
}

/** Lookups whose results the test supplies. */
function setUp(options: Partial<LookupsOptions> = {}) {
  const asked: Asked[] = [];
  const remembered: string[] = [];
  const position: { epoch: string | undefined; number: number } = { epoch: 'e', number: 5 };
  let pulls = 0;
  const lookups = createLookups({
    keyService: {
      lookUp: (hash, leave) =>
        new Promise((resolve, reject) => {
          asked.push({
            leave,
            answer: (answer) => resolve({ epoch: 'e', number: 5, key: keyRecord({ hash }), ...answer }),
            fail: () => reject(new Error('no connection')),
          });
        }),
    },
    feed: {
      position: () => position,
      pull: () => {
        pulls++;
        position.epoch = 'e';
        position.number = Math.max(5, position.number);
        return Promise.resolve();
      },
    },
    maxConcurrent: 2,
    maxWaiting: 1,
    remember: (_hash, record): KnownKey | null => {
      remembered.push(record?.id ?? 'nobody');
      return record === null ? null : toKnownKey(record);
    },
    ...options,
  });
  /** The request at this place, once it was made. */
  const request = async (index: number): Promise<Asked> => {
    await expect.poll(() => asked.length).toBeGreaterThan(index);
    return asked[index] as Asked;
  };
  return { lookups, asked, remembered, position, request, pulls: () => pulls };
}

describe('a response counts', () => {
  it('when nothing has superseded it; the request states what it must include', async () => {
    const { lookups, remembered, request } = setUp();
    const found = lookups.lookUp(HASH);
    const first = await request(0);
    expect(first.leave()).toBe(5);
    first.answer({ key: null });
    expect(await found).toBeNull();
    expect(remembered).toEqual(['nobody']);
  });

  it.each([
    ['is behind what was pulled', { number: 4 }, 0],
    ['belongs to another history', { epoch: 'other' }, 1],
  ])('not when it %s', async (_name, stale, pulls) => {
    const set = setUp();
    const found = set.lookups.lookUp(HASH);
    (await set.request(0)).answer({ ...stale, key: keyRecord({ hash: HASH, id: 'stale' }) });
    (await set.request(1)).answer({ key: keyRecord({ hash: HASH, id: 'good' }) });
    expect(await found).toMatchObject({ record: { id: 'good' } });
    expect(set.remembered).toEqual(['good']);
    expect(set.pulls()).toBe(pulls);
  });

  it('not when a change of the key came meanwhile', async () => {
    const { lookups, remembered, request } = setUp();
    const found = lookups.lookUp(HASH);
    const first = await request(0);
    lookups.supersede(HASH);
    first.answer({ number: 9, key: keyRecord({ hash: HASH, id: 'stale' }) });
    const second = await request(1);
    lookups.supersedeAll();
    second.answer({ number: 9, key: keyRecord({ hash: HASH, id: 'stale' }) });
    (await request(2)).answer({ number: 9, key: keyRecord({ hash: HASH, id: 'good' }) });
    await found;
    expect(remembered).toEqual(['good']);
  });

  it('when a change of the key came before it was sent, which it must include', async () => {
    const { lookups, asked, remembered, position, request } = setUp();
    const found = lookups.lookUp(HASH);
    const first = await request(0);
    position.number = 8;
    lookups.supersede(HASH);
    lookups.supersedeAll();
    expect(first.leave()).toBe(8);
    first.answer({ number: 8, key: keyRecord({ hash: HASH, id: 'good' }) });
    await found;
    expect(remembered).toEqual(['good']);
    expect(asked).toHaveLength(1);
  });

  it('not when a change of the key came after it left', async () => {
    const { lookups, remembered, request } = setUp();
    const found = lookups.lookUp(HASH);
    const first = await request(0);
    first.leave();
    lookups.supersede(HASH);
    first.answer({ number: 9, key: keyRecord({ hash: HASH, id: 'stale' }) });
    (await request(1)).answer({ number: 9, key: keyRecord({ hash: HASH, id: 'good' }) });
    await found;
    expect(remembered).toEqual(['good']);
  });

  it('not while it is open where history goes on', async () => {
    const { lookups, remembered, position, request } = setUp();
    position.epoch = undefined;
    position.number = -1;
    const found = lookups.lookUp(HASH);
    (await request(0)).answer({ number: 4, key: keyRecord({ hash: HASH, id: 'stale' }) });
    (await request(1)).answer({ number: 5, key: keyRecord({ hash: HASH, id: 'good' }) });
    await found;
    expect(remembered).toEqual(['good']);
  });
});

describe('lookups are bounded', () => {
  it('to one per key, a few at a time, and a few that wait', async () => {
    const { lookups, asked, request } = setUp();
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(64)) as [
      string,
      string,
      string,
      string,
    ];
    const first = lookups.lookUp(a);
    expect(lookups.lookUp(a)).toBe(first);
    const others = [lookups.lookUp(b), lookups.lookUp(c)];
    await expect(lookups.lookUp(d)).rejects.toThrow(KeysUnavailableError);
    await request(1);
    expect(asked.length).toBe(2);
    asked[0]?.answer({});
    (await request(2)).answer({});
    asked[1]?.answer({});
    await Promise.all([first, ...others]);
    expect(asked.length).toBe(3);
  });

  it('and a failure ends only its own', async () => {
    const { lookups, request } = setUp();
    const found = lookups.lookUp(HASH);
    (await request(0)).fail();
    await expect(found).rejects.toThrow(KeysUnavailableError);
    const again = lookups.lookUp(HASH);
    (await request(1)).answer({});
    expect(await again).not.toBeNull();
  });

  it('when key-service never catches up', async () => {
    const { lookups } = setUp({
      keyService: { lookUp: () => Promise.resolve({ epoch: 'e', number: 4, key: null }) },
    });
    await expect(lookups.lookUp(HASH)).rejects.toThrow(KeysUnavailableError);
  });
});
