import type { Logger, Telemetry } from '@cellarman/telemetry';
import { createTally, observeGauges } from '@cellarman/telemetry';
import type { Queryable } from '../postgres/database.ts';
import { observeCount } from '../postgres/observe-count.ts';
import type { WaitingNotification } from './deliver/outbox.ts';

const SCRAPE_MS = 15_000;

/** Metrics for the operator: whether rules are evaluated, and notifications delivered. */
export function createAlertMetrics(parts: {
  meter: Telemetry['meter'];
  logger: Logger;
  database: Queryable;
  isLeader: () => boolean;
}) {
  const { meter, logger, database, isLeader } = parts;
  const evaluations = createTally(
    meter,
    'cellarman_key_service_alert_evaluations',
    'Evaluations of alert rules, by outcome.',
  );
  const deliveries = createTally(
    meter,
    'cellarman_key_service_alert_deliveries',
    'Attempts to deliver notifications about alerts, by kind of destination and outcome.',
  );
  // Created now, so that the first one is a step up from zero.
  for (const outcome of ['ok', 'failed']) evaluations.cell({ outcome });
  for (const kind of ['webhook', 'email'])
    for (const outcome of ['delivered', 'failed']) deliveries.cell({ kind, outcome });

  observeGauges(meter, 'cellarman_key_service_alert_', {
    leader: ['1: this replica evaluates the alert rules.', () => (isLeader() ? 1 : 0)],
  });
  const gauges = GAUGES.map(([name, description, sql]) =>
    observeCount({
      name: `cellarman_key_service_alert_${name}`,
      description,
      meter,
      logger,
      intervalMs: SCRAPE_MS,
      async count() {
        const [row] = await database.query<{ seconds: number }>(sql);
        return row?.seconds ?? 0;
      },
    }),
  );

  return {
    evaluated(outcome: 'ok' | 'failed') {
      evaluations.cell({ outcome }).value += 1;
    },
    attempted(kind: WaitingNotification['kind'], outcome: 'delivered' | 'failed') {
      deliveries.cell({ kind, outcome }).value += 1;
    },
    stop() {
      for (const gauge of gauges) gauge.stop();
    },
  };
}

const GAUGES: readonly [name: string, description: string, sql: string][] = [
  [
    'rules_age_seconds',
    'Time since the alert rule that has waited longest was evaluated.',
    `SELECT coalesce(extract(epoch FROM now() - min(coalesce(evaluated_at, alert_rules.created_at))), 0)::float8 AS seconds
     FROM alert_rules JOIN cellars ON cellars.name = cellar
     WHERE deleted_at IS NULL AND is_enabled AND archived_at IS NULL`,
  ],
  [
    'notifications_age_seconds',
    'Time since the oldest notification about alerts was queued that is not delivered.',
    `SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS seconds
     FROM alert_notifications WHERE delivered_at IS NULL AND given_up_at IS NULL`,
  ],
];
