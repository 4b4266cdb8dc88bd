import type { Queryable } from '../../postgres/database.ts';
import type { Condition } from '../rules/condition-schema.ts';

/** Why the alerts of a rule end although their condition holds. */
export type EndReason = 'rule_deleted' | 'rule_disabled' | 'cellar_archived';

export interface DueRule {
  id: string;
  version: number;
  cellar: string;
  condition: Condition;
  retentionDays: number;
  /** null: it is evaluated. */
  ended: EndReason | null;
}

const MAX_DUE = 500;

/** Rules whose last evaluation is long enough ago, and those that must not have open alerts any more. */
export async function findDueRules(database: Queryable, intervalSeconds: number): Promise<DueRule[]> {
  return database.query<DueRule & Record<string, unknown>>(
    `SELECT * FROM (
       SELECT alert_rules.id, version, cellar, condition, retention_days AS "retentionDays", evaluated_at,
         CASE WHEN deleted_at IS NOT NULL THEN 'rule_deleted'
              WHEN archived_at IS NOT NULL THEN 'cellar_archived'
              WHEN NOT is_enabled THEN 'rule_disabled' END AS ended
       FROM alert_rules JOIN cellars ON cellars.name = cellar
     ) AS rules
     WHERE (ended IS NULL AND (evaluated_at IS NULL OR evaluated_at <= now() - make_interval(secs => $1)))
        OR (ended IS NOT NULL
            AND EXISTS (SELECT FROM alerts WHERE rule_id = rules.id AND state <> 'resolved'))
     ORDER BY evaluated_at NULLS FIRST
     LIMIT ${MAX_DUE}`,
    [intervalSeconds],
  );
}
