import { describe, expect, test } from 'vitest';
import { createTurns } from '../src/clickhouse/turns.ts';

const never = new AbortController().signal;

describe('turns', () => {
  test('are given to so many at once, and in order to those who wait', async () => {
    const turns = createTurns({ atOnce: 2, waiting: 2, waitMs: 60_000 });
    const [first, second] = [await turns.take(never), await turns.take(never)];
    const begun: string[] = [];
    const third = turns.take(never).then((end) => (begun.push('third'), end));
    const fourth = turns.take(never).then((end) => (begun.push('fourth'), end));
    await expect(turns.take(never)).rejects.toMatchObject({ code: 'unavailable' });

    expect(turns.waiting()).toBe(2);

    first();
    first();
    const endThird = await third;
    expect(begun).toEqual(['third']);
    second();
    const endFourth = await fourth;
    expect(turns.running()).toBe(2);
    endThird();
    endFourth();
    expect([turns.running(), turns.waiting()]).toEqual([0, 0]);
  });

  test('do not keep anybody waiting for long', async () => {
    const turns = createTurns({ atOnce: 1, waiting: 1, waitMs: 1 });
    const end = await turns.take(never);
    await expect(turns.take(never)).rejects.toMatchObject({ code: 'unavailable' });
    end();
    expect(turns.running()).toBe(0);
  });

  test('are not given to those who have left', async () => {
    const turns = createTurns({ atOnce: 1, waiting: 1, waitMs: 60_000 });
    const end = await turns.take(never);
    const left = new AbortController();
    const waiting = turns.take(left.signal);
    left.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    await expect(turns.take(left.signal)).rejects.toThrow('left');

    const next = turns.take(never);
    end();
    (await next)();
    expect(turns.running()).toBe(0);
  });
});
