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
  /** Resolves when this many messages have their outcome, or after `withinMs`. */
  settled(count: number, withinMs: number): Promise<void>;
}

/** Collects the outcomes of a group of messages, and resolves with the last of them. */
export function createGroup(size: number): Group {
  const { promise, resolve } = Promise.withResolvers<GroupOutcome>();
  const failures = new Map<number, PublishError>();
  let settled = 0;
  let awaited: { count: number; resolve: () => void } | undefined;

  function settleOne(): void {
    settled++;
    if (settled === awaited?.count) awaited.resolve();
    if (settled >= size) resolve({ acknowledged: size - failures.size, failures });
  }

  if (size === 0) settleOne();
  return {
    outcome: promise,
    acknowledged: settleOne,
    failed: (index, error) => {
      failures.set(index, error);
      settleOne();
    },
    async settled(count, withinMs) {
      if (settled >= count || withinMs <= 0) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resume) => {
        awaited = { count, resolve: resume };
        timer = setTimeout(resume, withinMs);
      });
      clearTimeout(timer);
    },
  };
}
