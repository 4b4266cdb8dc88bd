import { cutPage, readCursor } from '@cellarman/http-api';
import { requireCellar } from '../../cellars/cellars-repository.ts';
import { toView } from '../../http/to-view.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Condition } from '../rules/condition-schema.ts';
import { alertViewSchema } from './alert-schema.ts';
import type { AlertView } from './alert-schema.ts';
import { SUBJECT_KINDS } from './notification-content.ts';

const HISTORY_DAYS = 90;

interface Row {
  [column: string]: unknown;
  id: string;
  rule_id: string;
  rule_name: string;
  condition: Condition;
  subject: string;
  label: string;
  position: string;
}

export interface ListAlerts {
  /** Those that are not resolved, or all that have fired. */
  state: 'open' | 'fired';
  limit: number;
  cursor?: string;
}

/** The states of alerts. The evaluator writes them. */
export function createAlertsRepository({ database }: { database: Queryable }) {
  return {
    /** Firing ones first, then the latest. */
    async list(cellar: string, { state, limit, cursor }: ListAlerts) {
      await requireCellar(database, cellar);
      const [after = null, afterId = null] = cursor === undefined ? [] : readCursor(cursor, 2);
      const at = state === 'open' ? `coalesce(fired_at, 'epoch')` : 'fired_at';
      const rows = await database.query<Row>(
        `SELECT alerts.id, rule_id, alert_rules.name AS rule_name, condition, subject, label, state, since,
           fired_at, resolved_at, resolved_because, details, (${at})::text AS position
         FROM alerts JOIN alert_rules ON alert_rules.id = rule_id
         WHERE alerts.cellar = $1 AND ${state === 'open' ? `state <> 'resolved'` : `state <> 'pending'`}
           AND ($2::text IS NULL OR (${at}, alerts.id) < ($2::timestamptz, $3::uuid))
         ORDER BY ${at} DESC, alerts.id DESC LIMIT $4`,
        [cellar, after, afterId, limit + 1],
      );
      const { page, nextCursor } = cutPage(rows, limit, ({ position, id }) => [position, id]);
      return { alerts: page.map(toAlert), nextCursor };
    },

    /** @param granted null: all cellars */
    async countFiring(granted: readonly string[] | null) {
      const cellars = await database.query<{ cellar: string; firing: number }>(
        `SELECT cellar, count(*)::int AS firing FROM alerts
         WHERE state = 'firing' AND ($1::text[] IS NULL OR cellar = ANY ($1))
         GROUP BY cellar ORDER BY cellar`,
        [granted],
      );
      return { firing: cellars.reduce((sum, { firing }) => sum + firing, 0), cellars };
    },

    /** Deletes the history that is too old, with its rules and destinations. */
    async prune(): Promise<void> {
      const old = `now() - interval '${HISTORY_DAYS} days'`;
      for (const statement of [
        `DELETE FROM alert_notifications WHERE created_at < ${old}
           AND (delivered_at IS NOT NULL OR given_up_at IS NOT NULL)`,
        `DELETE FROM alerts WHERE state = 'resolved' AND resolved_at < ${old}`,
        `DELETE FROM alert_rules WHERE deleted_at < ${old}
           AND NOT EXISTS (SELECT FROM alerts WHERE rule_id = alert_rules.id)
           AND NOT EXISTS (SELECT FROM alert_notifications WHERE rule_id = alert_rules.id)`,
        `DELETE FROM alert_destinations WHERE deleted_at < ${old}
           AND NOT EXISTS (SELECT FROM alert_notifications WHERE destination_id = alert_destinations.id)`,
      ]) {
        await database.query(statement);
      }
    },
  };
}

export type AlertsRepository = ReturnType<typeof createAlertsRepository>;

function toAlert(row: Row): AlertView {
  return toView(alertViewSchema, row, {
    rule: { id: row.rule_id, name: row.rule_name, condition: row.condition },
    subject: { kind: SUBJECT_KINDS[row.condition.kind], id: row.subject, name: row.label },
  });
}
