import type { Group } from './worker/messages.ts';
import { ClientError } from './client-error.ts';

/** Groups puts, because a commit costs an `fsync` whatever its size. */
export interface Commits {
  /** Resolves when the readings are on disk. */
  add(bodies: readonly string[], isBackfill: boolean): Promise<void>;
  /** Resolves when nothing is left to be committed. */
  settled(): Promise<void>;
}

/** A larger group is hardly cheaper, and the first put of it would wait longer. */
const MOST_READINGS = 2_000;

interface Pending extends Group {
  waiting: { resolve: () => void; reject: (error: unknown) => void }[];
}
const none = (): Pending => ({ bodies: [], counts: [], isBackfill: [], waiting: [] });

/** @param commit returns for each list whether it was stored */
export function createCommits(commit: (group: Group) => Promise<unknown>, groupMs: number): Commits {
  let next = none();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    // Other puts of this turn of the event loop share the commit.
    await new Promise((resolve) => (groupMs > 0 ? setTimeout(resolve, groupMs) : setImmediate(resolve)));
    while (next.counts.length > 0) {
      // Two at a time: the worker commits one while the other is on its way.
      const groups = [take(), take()].filter(({ counts }) => counts.length > 0);
      await Promise.all(groups.map(store));
    }
    running = undefined;
  }

  function take(): Pending {
    const all = next;
    let readings = 0;
    let lists = 0;
    while (lists < all.counts.length && readings < MOST_READINGS) readings += all.counts[lists++] ?? 0;
    next = none();
    if (lists === all.counts.length) return all;
    next.bodies = all.bodies.splice(readings);
    next.counts = all.counts.splice(lists);
    next.isBackfill = all.isBackfill.splice(lists);
    next.waiting = all.waiting.splice(lists);
    return all;
  }

  async function store({ waiting, ...group }: Pending): Promise<void> {
    try {
      const stored = (await commit(group)) as boolean[];
      for (const [index, { resolve, reject }] of waiting.entries())
        if (stored[index] === true) resolve();
        else reject(new ClientError('spool_full', 'the spool is full'));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  return {
    add: (bodies, isBackfill) =>
      new Promise((resolve, reject) => {
        for (const body of bodies) next.bodies.push(body);
        next.counts.push(bodies.length);
        next.isBackfill.push(isBackfill);
        next.waiting.push({ resolve, reject });
        running ??= run();
      }),
    async settled() {
      await running;
    },
  };
}
