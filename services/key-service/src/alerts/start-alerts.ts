import { ApiError } from '@cellarman/http-api';
import type { Logger, Telemetry } from '@cellarman/telemetry';
import { findStorageProblem } from '../pipeline/find-storage-problem.ts';
import type { ReplicaReports } from '../pipeline/replica-reports.ts';
import type { Database } from '../postgres/database.ts';
import type { AlertConfig } from './alert-variables.ts';
import { createDestinationsRepository } from './destinations/destinations-repository.ts';
import type { DestinationsRepository } from './destinations/destinations-repository.ts';
import { createOutbox } from './deliver/outbox.ts';
import { createSendEmail } from './deliver/send-email.ts';
import { startDelivery } from './deliver/start-delivery.ts';
import { createAddressPolicy } from './deliver/webhook/address-policy.ts';
import { createSendWebhook } from './deliver/webhook/send-webhook.ts';
import { startEvaluator } from './evaluate/evaluator.ts';
import { createLeader } from './evaluate/leader.ts';
import { createRequestObservation } from './evaluate/observations-client.ts';
import { createAlertMetrics } from './observe-alerts.ts';
import { createRulesRepository } from './rules/rules-repository.ts';
import type { RulesRepository } from './rules/rules-repository.ts';
import { createAlertsRepository } from './states/alerts-repository.ts';
import type { AlertsRepository } from './states/alerts-repository.ts';

export interface Alerts {
  rules: RulesRepository;
  destinations: DestinationsRepository;
  alerts: AlertsRepository;
  /** Within a few seconds; what is in flight is sent again by another replica, with the same id. */
  stop(): Promise<void>;
}

const MAX_TICK_MS = 5_000;
/** Of three ticks a leader may miss two. */
const TICKS_OF_A_LEASE = 3;
const LEAST_LEASE_SECONDS = 5;

/** Evaluates alert rules and delivers their notifications, in the background. */
export function startAlerts(options: {
  database: Database;
  config: AlertConfig;
  logger: Logger;
  meter: Telemetry['meter'];
  /** What the sinks report. */
  replicas: Pick<ReplicaReports, 'latest'>;
}): Alerts {
  const { database, config, logger, meter, replicas } = options;
  const intervalSeconds = config.ALERTS_INTERVAL_SECONDS;
  const tickMs = Math.min(MAX_TICK_MS, (intervalSeconds * 1_000) / 2);
  const leader = createLeader({
    database,
    leaseSeconds: Math.max(LEAST_LEASE_SECONDS, (TICKS_OF_A_LEASE * tickMs) / 1_000),
  });
  const sendEmail = createSendEmail(config);
  const metrics = createAlertMetrics({ meter, logger, database, isLeader: () => leader.isHeld() });
  const delivery = startDelivery({
    outbox: createOutbox({ database }),
    send: {
      webhook: createSendWebhook(createAddressPolicy(config.WEBHOOK_ALLOWED_NETWORKS)),
      email: sendEmail,
    },
    onAttempt: (kind, outcome) => metrics.attempted(kind, outcome),
    logger,
  });
  const evaluator = startEvaluator({
    database,
    leader,
    request: createRequestObservation({ queryUrl: config.QUERY_URL, token: config.ALERTS_TOKEN }),
    async requireStored() {
      const problem = findStorageProblem((await replicas.latest()).sink);
      if (problem === undefined) return;
      throw new ApiError('unavailable', `${problem}: received readings may not be stored yet`);
    },
    intervalSeconds,
    tickMs,
    onQueued: delivery.wake,
    onEvaluated: (outcome) => metrics.evaluated(outcome),
    logger,
  });
  return {
    rules: createRulesRepository({ database }),
    destinations: createDestinationsRepository({
      database,
      canEmail: config.SMTP_URL !== undefined,
      onQueued: delivery.wake,
    }),
    alerts: createAlertsRepository({ database }),
    async stop() {
      metrics.stop();
      await Promise.all([evaluator.stop(), delivery.stop()]);
    },
  };
}
