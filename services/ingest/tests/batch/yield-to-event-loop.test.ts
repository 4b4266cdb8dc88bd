import { expect, it } from 'vitest';
import { createYield } from '../../src/batch/yield-to-event-loop.ts';

/** Counts turns of the event loop, one `setImmediate` in each. */
function countTurns() {
  const turns = { count: 0, stop: false };
  const next = () => {
    turns.count++;
    if (!turns.stop) setImmediate(next);
  };
  setImmediate(next);
  return turns;
}

it('lets one slice run in each turn of the event loop, however many batches wait, and each gets its turn', async () => {
  const yieldToEventLoop = createYield();
  const turns = countTurns();
  const ran: { batch: number; turn: number }[] = [];
  const work = async (batch: number) => {
    for (let slice = 0; slice < 5; slice++) {
      await yieldToEventLoop();
      ran.push({ batch, turn: turns.count });
    }
  };
  await Promise.all([0, 1, 2, 3].map(work));
  turns.stop = true;
  expect(new Set(ran.map(({ turn }) => turn)).size).toBe(ran.length);
  expect(ran.map(({ batch }) => batch)).toEqual(Array.from({ length: 20 }, (_, n) => n % 4));
});
