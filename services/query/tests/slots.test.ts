import { describe, expect, test } from 'vitest';
import { createSlots } from '../src/clickhouse/slots.ts';
import type { SlotLimits, Slots } from '../src/clickhouse/slots.ts';

const never = new AbortController().signal;
const PLENTY: SlotLimits = { running: 100, runningPerReader: 100, waiting: 100, waitMs: 60_000 };
const take = (slots: Slots, reader = 'a', isStream = false, signal = never) =>
  slots.acquire({ owner: reader, isStream, signal });
/** How many of them are given before one has to wait. */
async function countGiven(slots: Slots, reader: string, isStream: boolean): Promise<number> {
  for (let given = 0; ; given += 1) {
    const left = new AbortController();
    const slot = take(slots, reader, isStream, left.signal).then(
      () => 'given',
      () => 'not given',
    );
    left.abort(new Error('left'));
    if ((await slot) === 'not given') return given;
  }
}

describe('slots', () => {
  test('are given up to their number, and in order to those who wait', async () => {
    const slots = createSlots({ ...PLENTY, running: 2, waiting: 4 });
    const [first, second] = [await take(slots), await take(slots)];
    const begun: string[] = [];
    const third = take(slots).then((release) => (begun.push('third'), release));
    const fourth = take(slots).then((release) => (begun.push('fourth'), release));
    await expect(take(slots)).rejects.toMatchObject({ code: 'unavailable' });
    expect(slots.waiting()).toBe(2);

    first();
    first();
    const releaseThird = await third;
    expect(begun).toEqual(['third']);
    second();
    const releaseFourth = await fourth;
    expect(slots.running()).toBe(2);
    releaseThird();
    releaseFourth();
    expect([slots.running(), slots.waiting()]).toEqual([0, 0]);
  });

  test('do not keep anyone waiting for long', async () => {
    const slots = createSlots({ ...PLENTY, running: 1, waitMs: 1 });
    const release = await take(slots);
    await expect(take(slots)).rejects.toMatchObject({ code: 'unavailable' });
    release();
    expect(slots.running()).toBe(0);
  });

  test('are not given to those who have left', async () => {
    const slots = createSlots({ ...PLENTY, running: 1 });
    const release = await take(slots);
    const left = new AbortController();
    const waiting = take(slots, 'a', false, left.signal);
    left.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    await expect(take(slots, 'a', false, left.signal)).rejects.toThrow('left');

    const next = take(slots);
    release();
    (await next)();
    expect(slots.running()).toBe(0);
  });
});

describe('the share of the slots', () => {
  const LIMITS = { ...PLENTY, running: 8, runningPerReader: 4 };

  test.each([
    { what: 'of one reader', isStream: false, given: 4 },
    { what: 'of the streams of one reader', isStream: true, given: 2 },
  ])('$what is $given of 8', async ({ isStream, given }) => {
    const slots = createSlots(LIMITS);
    expect(await countGiven(slots, 'a', isStream)).toBe(given);
    expect(await countGiven(slots, 'b', isStream)).toBe(given);
  });

  test('of all streams together is half, and other queries get the rest', async () => {
    const slots = createSlots(LIMITS);
    for (const reader of ['a', 'b']) expect(await countGiven(slots, reader, true)).toBe(2);
    expect(await countGiven(slots, 'c', true)).toBe(0);
    expect(await countGiven(slots, 'c', false)).toBe(4);
  });

  test('leaves one stream where there is one slot', async () => {
    expect(await countGiven(createSlots({ ...PLENTY, running: 1, runningPerReader: 1 }), 'a', true)).toBe(1);
  });

  test('keeps a reader that has used it up from holding back another that waits behind it', async () => {
    const slots = createSlots({ ...PLENTY, running: 2, runningPerReader: 1 });
    const [ofA, ofB] = [await take(slots, 'a'), await take(slots, 'b')];
    const begun: string[] = [];
    const secondOfA = take(slots, 'a').then((release) => (begun.push('a'), release));
    const ofC = take(slots, 'c').then((release) => (begun.push('c'), release));
    ofB();
    await ofC;
    expect(begun).toEqual(['c']);
    ofA();
    await secondOfA;
    expect(begun).toEqual(['c', 'a']);
  });

  test('of those who may wait is half for one reader', async () => {
    const slots = createSlots({ ...PLENTY, running: 1, waiting: 2 });
    await take(slots);
    const waiting = take(slots);
    await expect(take(slots)).rejects.toMatchObject({ code: 'unavailable' });
    const other = take(slots, 'b');
    expect(slots.waiting()).toBe(2);
    expect(await Promise.race([waiting, other, Promise.resolve('both wait')])).toBe('both wait');
  });
});
