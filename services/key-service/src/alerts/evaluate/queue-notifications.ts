import type { Queryable } from '../../postgres/database.ts';
import type { Condition } from '../rules/condition-schema.ts';
import { SUBJECT_KINDS } from '../states/notification-content.ts';
import type { NotificationContent, NotifiedAlert } from '../states/notification-content.ts';

/** One network failure silences a thousand racks: they share notifications. */
const MAX_ALERTS = 100;

interface RuleRow {
  name: string;
  cellar: string;
  condition: Condition;
  destinations: string[];
  is_muted: boolean;
}

interface AlertRow {
  id: string;
  state: 'firing' | 'resolved';
  subject: string;
  label: string;
  since: Date;
  fired_at: Date | null;
  resolved_at: Date | null;
  resolved_because: string | null;
  details: Record<string, unknown>;
}

/**
 * Queues what changed in this transaction, once for each destination of the rule. While a rule is muted, alerts that fire wait;
 * one that was sent is also sent when it is resolved.
 *
 * @returns how many notifications were queued
 */
export async function queueNotifications(transaction: Queryable, ruleId: string): Promise<number> {
  const [rule] = await transaction.query<RuleRow & Record<string, unknown>>(
    `SELECT name, cellar, condition, coalesce(muted_until > now(), false) AS is_muted,
       ARRAY(
         SELECT id FROM alert_destinations AS kept WHERE kept.id = ANY (destinations) AND kept.deleted_at IS NULL
       ) AS destinations
     FROM alert_rules WHERE id = $1`,
    [ruleId],
  );
  if (rule === undefined) throw new Error('the alert rule has no row');
  const changed = await transaction.query<AlertRow & Record<string, unknown>>(
    `SELECT id, state, subject, label, since, fired_at, resolved_at, resolved_because, details FROM alerts
     WHERE rule_id = $1 AND (
       (state = 'firing' AND notified_at IS NULL AND NOT $2::boolean)
       OR (state = 'resolved' AND resolved_at = now() AND notified_at IS NOT NULL)
     )
     ORDER BY label, id`,
    [ruleId, rule.is_muted],
  );
  const inState = (state: AlertRow['state']) => changed.filter((alert) => alert.state === state);
  const contents = [
    ...toContents('alert.firing', ruleId, rule, inState('firing')),
    ...toContents('alert.resolved', ruleId, rule, inState('resolved')),
  ];
  if (contents.length === 0) return 0;
  await transaction.query(`UPDATE alerts SET notified_at = now() WHERE id = ANY ($1)`, [
    inState('firing').map(({ id }) => id),
  ]);
  await transaction.query(
    `INSERT INTO alert_notifications (rule_id, destination_id, content)
     SELECT $1, destination, content
     FROM unnest($2::jsonb[]) WITH ORDINALITY AS given (content, position), unnest($3::uuid[]) AS destination
     ORDER BY position`,
    [ruleId, contents.map((content) => JSON.stringify(content)), rule.destinations],
  );
  return contents.length * rule.destinations.length;
}

function toContents(
  type: NotificationContent['type'],
  id: string,
  { name, cellar, condition }: RuleRow,
  rows: readonly AlertRow[],
): NotificationContent[] {
  const kind = SUBJECT_KINDS[condition.kind];
  const alerts = rows.map((row): NotifiedAlert => ({
    id: row.id,
    state: row.state,
    subject: { kind, id: row.subject, name: row.label },
    since: row.since.toISOString(),
    firedAt: row.fired_at?.toISOString() ?? null,
    resolvedAt: row.resolved_at?.toISOString() ?? null,
    resolvedBecause: row.resolved_because,
    details: row.details,
  }));
  const chunks = Array.from({ length: Math.ceil(alerts.length / MAX_ALERTS) }, (_, chunk) =>
    alerts.slice(chunk * MAX_ALERTS, (chunk + 1) * MAX_ALERTS),
  );
  return chunks.map((chunk) => ({ type, cellar, rule: { id, name, condition }, alerts: chunk }));
}
