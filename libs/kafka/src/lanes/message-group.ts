import type { Publisher } from './pending-message.ts';
import type { PublishError } from './publish-error.ts';

/** What became of a group. */
export interface GroupOutcome {
  readonly acknowledged: number;
  /** Why messages were not acknowledged, by their place in the group. All others were. */
  readonly failures: ReadonlyMap<number, PublishError>;
}

export interface Group extends Publisher {
  readonly outcome: Promise<GroupOutcome>;
}

/** Collects the outcomes of a group of messages, and resolves with the last of them. */
export function createGroup(size: number): Group {
  const { promise, resolve } = Promise.withResolvers<GroupOutcome>();
  const failures = new Map<number, PublishError>();
  let left = size;

  function settleOne(): void {
    left--;
    if (left <= 0) resolve({ acknowledged: size - failures.size, failures });
  }

  if (size === 0) settleOne();
  return {
    outcome: promise,
    acknowledged: settleOne,
    failed: (index, error) => {
      failures.set(index, error);
      settleOne();
    },
  };
}
