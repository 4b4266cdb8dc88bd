import { ApiError } from '@cellarman/http-api';
import { toInstant } from '../../http/instant.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Condition } from './condition-schema.ts';
import type { RuleView } from './rule-schema.ts';

export interface RuleRow {
  id: string;
  cellar: string;
  name: string;
  condition: Condition;
  destinations: string[];
  is_enabled: boolean;
  muted_until: Date | null;
  firing: number;
  pending: number;
  is_truncated: boolean;
  evaluated_at: Date | null;
  problem: string | null;
  created_at: Date;
  created_by: string | null;
}

/** All rules that are not deleted. A mute that has ended is none. */
export const RULES = `(
  SELECT alert_rules.id, alert_rules.cellar, alert_rules.name, condition, is_enabled,
         ARRAY(
           SELECT id FROM alert_destinations AS kept
           WHERE kept.id = ANY (alert_rules.destinations) AND kept.deleted_at IS NULL ORDER BY kept.created_at, id
         ) AS destinations,
         CASE WHEN muted_until > now() THEN muted_until END AS muted_until,
         (SELECT count(*)::int FROM alerts WHERE rule_id = alert_rules.id AND state = 'firing') AS firing,
         (SELECT count(*)::int FROM alerts WHERE rule_id = alert_rules.id AND state = 'pending') AS pending,
         is_truncated, evaluated_at, problem, alert_rules.created_at, creator.email AS created_by
  FROM alert_rules LEFT JOIN administrators AS creator ON creator.id = alert_rules.created_by
  WHERE alert_rules.deleted_at IS NULL
) AS rules`;

/** @throws {ApiError} `not_found` also for a rule of another cellar */
export async function getRule(database: Queryable, cellar: string, id: string): Promise<RuleView> {
  const [row] = await database.query<RuleRow>(`SELECT * FROM ${RULES} WHERE cellar = $1 AND id = $2`, [
    cellar,
    id,
  ]);
  if (row === undefined) throw new ApiError('not_found', 'Alert rule not found in this cellar');
  return toRuleView(row);
}

export function toRuleView(row: RuleRow): RuleView {
  return {
    id: row.id,
    name: row.name,
    condition: row.condition,
    destinations: row.destinations,
    isEnabled: row.is_enabled,
    mutedUntil: toInstant(row.muted_until),
    firing: row.firing,
    pending: row.pending,
    isTruncated: row.is_truncated,
    evaluatedAt: toInstant(row.evaluated_at),
    problem: row.problem,
    createdAt: toInstant(row.created_at),
    createdBy: row.created_by,
  };
}
