import { ApiError } from '@cellarman/http-api';
import { toView } from '../../http/to-view.ts';
import type { Queryable } from '../../postgres/database.ts';
import { ruleViewSchema } from './rule-schema.ts';
import type { RuleView } from './rule-schema.ts';

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
  const [row] = await database.query(`SELECT * FROM ${RULES} WHERE cellar = $1 AND id = $2`, [cellar, id]);
  if (row === undefined) throw new ApiError('not_found', 'Alert rule not found in this cellar');
  return toRuleView(row);
}

export function toRuleView(row: object): RuleView {
  return toView(ruleViewSchema, row);
}
