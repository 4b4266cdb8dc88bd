import type { Database, Queryable } from '../postgres/database.ts';
import type { Position } from './epoch.ts';
import { recordChanges } from './record-changes.ts';
import type { Actor, AuditEntry, Changed } from './record-changes.ts';

export interface Outcome<Result> {
  result: Result;
  /** What others hold copies of. Empty: nothing has changed, and nothing is recorded. */
  changed: readonly Changed[];
  /** One for each thing that was done. */
  entries: readonly AuditEntry[];
}

/** Carries out one change: the rows, its number and its audit entries are there together or not at all. */
export type Commit = <Result>(
  actor: Actor,
  work: (transaction: Queryable) => Promise<Outcome<Result>>,
) => Promise<Result>;

export function createCommit(options: {
  database: Database;
  /** Called with what the history has reached, as soon as it is committed. */
  onCommitted: (reached: Position) => void;
}): Commit {
  const { database, onCommitted } = options;
  return async (actor, work) => {
    const { result, reached } = await database.transaction(async (transaction) => {
      const outcome = await work(transaction);
      // Last, because it locks the counter: every other change waits from here on.
      const reached =
        outcome.changed.length === 0
          ? undefined
          : await recordChanges(transaction, actor, outcome.changed, outcome.entries);
      return { result: outcome.result, reached };
    });
    if (reached !== undefined) onCommitted(reached);
    return result;
  };
}
