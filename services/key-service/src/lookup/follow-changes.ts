import { startLoop } from '@cellarman/concurrency';
import type { Logger } from '@cellarman/telemetry';
import type { KeyCache } from './key-cache.ts';
import type { ChangesRepository } from '../changes/changes-repository.ts';
import type { FollowedPosition } from './followed-position.ts';

/**
 * One pull: reads from PostgreSQL the changes since the state of Redis, and applies them to Redis.
 *
 * It starts from the state in Redis, not from what this replica did last, so the next pull detects a Redis that was emptied,
 * replaced or restored from an old snapshot. Until then its number is behind, and its entries are not used.
 */
export function createPull(parts: {
  changes: Pick<ChangesRepository, 'after'>;
  cache: Pick<KeyCache, 'state' | 'apply' | 'reset'>;
  position: FollowedPosition;
}) {
  const { changes, cache, position } = parts;
  return async function pull(): Promise<void> {
    let more: boolean;
    do {
      const arrive = position.beginPull();
      const state = await cache.state();
      const page = await changes.after(state?.applied ?? -1);
      arrive({ epoch: page.epoch, number: page.current });
      if (state === undefined) return;

      more = false;
      if (state.epoch !== page.epoch || !page.complete) {
        await cache.reset(state, { epoch: page.epoch, number: page.current });
      } else if (page.number > state.applied) {
        const done = await cache.apply(state, page.number, page.changes);
        more = done && page.more;
      }
    } while (more);
  };
}

export interface Following {
  /** Pulls immediately, after a change by this replica. */
  pullNow(): void;
  stop(): Promise<void>;
}

/** Pulls over and over until it is stopped. A pull that fails is tried again after the interval. */
export function followChanges(parts: {
  pull: () => Promise<void>;
  intervalMs: number;
  logger: Logger;
  /** Called after each pull, whether it succeeded or not. */
  onPull?: () => void;
}): Following {
  const { pull, intervalMs, logger, onPull } = parts;
  const loop = startLoop({
    ...{ intervalMs, logger },
    failed: 'cannot follow key changes, retrying',
    recovered: 'following key changes again',
    async work() {
      const begun = performance.now();
      try {
        await pull();
      } finally {
        onPull?.();
      }
      return Math.max(0, intervalMs - (performance.now() - begun));
    },
  });
  return { pullNow: loop.wake, stop: loop.stop };
}
