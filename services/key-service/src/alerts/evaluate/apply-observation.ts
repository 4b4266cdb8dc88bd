import type { Database, Queryable } from '../../postgres/database.ts';
import { queueNotifications } from './queue-notifications.ts';
import type { DueRule, EndReason } from './due-rules.ts';
import type { Leader } from './leader.ts';
import { nextStates } from './next-states.ts';
import type { NextStates, OpenAlert } from './next-states.ts';
import type { Observation } from './observed.ts';

export interface ApplyOptions {
  database: Database;
  leader: Leader;
}

/**
 * Writes the new states of the alerts of a rule and the notifications about them, in one transaction: a process that is killed
 * leaves both or neither.
 *
 * @returns how many notifications were queued
 */
export async function applyObservation(
  rule: DueRule,
  observation: Observation,
  { database, leader }: ApplyOptions,
): Promise<number> {
  return database.transaction(async (transaction) => {
    await leader.require(transaction);
    const [current] = await transaction.query<{ now: Date }>(
      `SELECT now() AS now FROM alert_rules WHERE id = $1 AND version = $2 FOR NO KEY UPDATE`,
      [rule.id, rule.version],
    );
    // It was changed while it was observed, and is due again.
    if (current === undefined) return 0;
    const open = await transaction.query<OpenAlert & Record<string, unknown>>(
      `SELECT id, subject, state, since FROM alerts WHERE rule_id = $1 AND state <> 'resolved'`,
      [rule.id],
    );
    const next = nextStates(open, observation, current.now);
    await begin(transaction, rule, next.begun);
    await proceed(transaction, next.continued);
    await end(transaction, next.ended, rule.ended, observation.forgottenBefore);
    await transaction.query(
      `UPDATE alert_rules SET evaluated_at = now(), problem = NULL, is_truncated = $2 WHERE id = $1`,
      [rule.id, observation.isTruncated],
    );
    return queueNotifications(transaction, rule.id);
  });
}

async function begin(transaction: Queryable, rule: DueRule, begun: NextStates['begun']): Promise<void> {
  if (begun.length === 0) return;
  await transaction.query(
    `INSERT INTO alerts (rule_id, cellar, state, subject, label, since, details)
     SELECT $1, $2, 'pending', * FROM unnest($3::text[], $4::text[], $5::timestamptz[], $6::jsonb[])`,
    [
      rule.id,
      rule.cellar,
      begun.map(({ subject }) => subject),
      begun.map(({ label }) => label),
      begun.map(({ since }) => since),
      begun.map(({ details }) => JSON.stringify(details)),
    ],
  );
}

async function proceed(transaction: Queryable, continued: NextStates['continued']): Promise<void> {
  if (continued.length === 0) return;
  await transaction.query(
    `UPDATE alerts SET since = seen.since, details = seen.details,
       state = CASE WHEN fires THEN 'firing' ELSE state END,
       fired_at = CASE WHEN fires THEN coalesce(fired_at, now()) END
     FROM unnest($1::uuid[], $2::timestamptz[], $3::boolean[], $4::jsonb[]) AS seen (id, since, fires, details)
     WHERE alerts.id = seen.id`,
    [
      continued.map(({ id }) => id),
      continued.map(({ since }) => since),
      continued.map(({ fires }) => fires),
      continued.map(({ details }) => JSON.stringify(details)),
    ],
  );
}

async function end(
  transaction: Queryable,
  ended: NextStates['ended'],
  because: EndReason | null,
  forgottenBefore: Date | undefined,
): Promise<void> {
  if (ended.length === 0) return;
  const ids = (state: OpenAlert['state']) =>
    ended.filter((alert) => alert.state === state).map(({ id }) => id);
  await transaction.query(`DELETE FROM alerts WHERE id = ANY ($1)`, [ids('pending')]);
  await transaction.query(
    `UPDATE alerts SET state = 'resolved', resolved_at = now(),
       resolved_because = coalesce($2, CASE WHEN since < $3 THEN 'forgotten' ELSE 'recovered' END)
     WHERE id = ANY ($1)`,
    [ids('firing'), because, forgottenBefore ?? null],
  );
}
