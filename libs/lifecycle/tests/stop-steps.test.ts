import { describe, expect, it } from 'vitest';
import { createStopSteps } from '../src/stop-steps.ts';

describe('stop steps', () => {
  it('names what is under way, with what it leaves', async () => {
    const { step, left } = createStopSteps();
    await step('stop listening', async () => {});
    void step(
      'flush lanes',
      () => new Promise(() => {}),
      () => '12 readings in flight',
    );
    void step('commit offsets', () => new Promise(() => {}));

    expect(left()).toBe('flush lanes: 12 readings in flight; commit offsets');
  });

  it('counts a failed step as left', async () => {
    const { step, left } = createStopSteps();
    await expect(step('flush', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    expect(left()).toBe('flush');
  });

  it('has words for a stop without named steps', () => {
    expect(createStopSteps().left()).toBe('work without a name');
  });
});
