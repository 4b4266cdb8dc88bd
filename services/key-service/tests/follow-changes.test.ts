import { createLogger } from '@cellarman/telemetry';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChangesPage } from '../src/changes/changes-repository.ts';
import { createPull, followChanges } from '../src/lookup/follow-changes.ts';
import { createFollowedPosition } from '../src/lookup/followed-position.ts';

const logger = createLogger({ service: 'test', version: '0', level: 'silent' });

describe('a pull', () => {
  const page = (fields: Partial<ChangesPage> = {}): ChangesPage => ({
    epoch: 'e',
    current: 5,
    number: 5,
    complete: true,
    more: false,
    changes: [],
    ...fields,
  });
  function setUp() {
    const position = createFollowedPosition({ clock: () => 0, maxAgeMs: 1 });
    const changes = { after: vi.fn(async (_after: number) => page()) };
    const state = { epoch: 'e', applied: 3, generation: 'g' };
    const cache = {
      state: vi.fn().mockResolvedValue(state),
      apply: vi.fn().mockResolvedValue(true),
      reset: vi.fn().mockResolvedValue(undefined),
    };
    return { position, changes, cache, state, pull: createPull({ changes, cache, position }) };
  }

  test('requests the changes after the position of Redis', async () => {
    const { pull, changes, cache, state, position } = setUp();
    await pull();
    expect(changes.after.mock.calls).toEqual([[3]]);
    expect(cache.apply.mock.calls).toEqual([[state, 5, []]]);
    expect(position.current()).toEqual({ epoch: 'e', number: 5 });
  });

  test('goes on while there is more', async () => {
    const { pull, changes, cache, state } = setUp();
    changes.after.mockResolvedValueOnce(page({ number: 4, more: true }));
    cache.state.mockResolvedValueOnce(state).mockResolvedValueOnce({ ...state, applied: 4 });
    await pull();
    expect(changes.after.mock.calls).toEqual([[3], [4]]);
  });

  test('does not go on when Redis accepts nothing, or it would query PostgreSQL without a pause', async () => {
    const { pull, changes, cache } = setUp();
    changes.after.mockResolvedValue(page({ number: 4, more: true }));
    cache.apply.mockResolvedValue(false);
    await pull();
    expect(changes.after).toHaveBeenCalledOnce();
  });

  test('still learns where the history stands while Redis is unreachable', async () => {
    const { pull, changes, cache, position } = setUp();
    cache.state.mockResolvedValue(undefined);
    await pull();
    expect(changes.after.mock.calls).toEqual([[-1]]);
    expect(cache.apply).not.toHaveBeenCalled();
    expect(position.current()).toEqual({ epoch: 'e', number: 5 });
  });

  test.each([
    ['another epoch', page({ epoch: 'f', number: 2, current: 2 })],
    ['changes that are no longer there', page({ complete: false })],
  ])('starts again with %s', async (_case, answer) => {
    const { pull, changes, cache, state } = setUp();
    changes.after.mockResolvedValue(answer);
    await pull();
    expect(cache.reset.mock.calls).toEqual([[state, { epoch: answer.epoch, number: answer.current }]]);
    expect(cache.apply).not.toHaveBeenCalled();
  });
});

describe('following', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('pulls repeatedly, immediately when notified, and also after a failure', async () => {
    const pull = vi.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValue(undefined);
    const onPull = vi.fn();
    const following = followChanges({ pull, intervalMs: 250, logger, onPull });
    await vi.advanceTimersByTimeAsync(0);
    expect(pull).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(250);
    expect(pull).toHaveBeenCalledTimes(2);
    following.pullNow();
    await vi.advanceTimersByTimeAsync(0);
    expect(pull).toHaveBeenCalledTimes(3);
    expect(onPull).toHaveBeenCalledTimes(3);
    await following.stop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(pull).toHaveBeenCalledTimes(3);
  });

  test('does not forget a wish that comes during a pull', async () => {
    let finish = () => {};
    const pull = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    const following = followChanges({ pull, intervalMs: 250, logger });
    following.pullNow();
    finish();
    await vi.advanceTimersByTimeAsync(0);
    expect(pull).toHaveBeenCalledTimes(2);
    finish();
    await following.stop();
  });
});
