import type { Lanes, ProducerPort } from '@cellarman/kafka';
import { gracefulHttpStop } from '@cellarman/lifecycle';
import type { Readiness, Step } from '@cellarman/lifecycle';
import type { Telemetry } from '@cellarman/telemetry';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { Keys } from './key-cache/keys.ts';
import type { LastUsed } from './key-cache/last-used.ts';
import type { Leases } from './rate-limit/redis-leases.ts';
import type { RefusalReports } from './refusals/refusal-reports.ts';

export interface StopOptions {
  config: Config;
  app: FastifyInstance;
  operations: FastifyInstance | undefined;
  readiness: Readiness;
  lanes: Lanes;
  keys: Keys;
  lastUsed: LastUsed;
  refusalReports: RefusalReports;
  leases: Leases;
  topicWatch: { stop(): void };
  producer: ProducerPort;
  telemetry: Telemetry;
  step: Step;
}

/** Serve on until load balancers have noticed, let requests end with their acknowledgement, then close what they used. */
export async function stopInOrder({ step, ...running }: StopOptions): Promise<void> {
  const { config, app, lanes, lastUsed, refusalReports } = running;
  running.topicWatch.stop();
  await step('http', () =>
    gracefulHttpStop(app, {
      readiness: running.readiness,
      deregistrationDelayMs: config.DEREGISTRATION_DELAY_MS,
    }),
  );
  await step(
    'readings',
    () => lanes.close(config.ACK_DEADLINE_MS),
    () => `${lanes.stats().waitingMessages} readings not acknowledged`,
  );
  running.keys.stop();
  lastUsed.stop();
  refusalReports.stop();
  await step('last uses of keys, refusals', () => Promise.all([lastUsed.report(), refusalReports.report()]));
  running.leases.close();
  await step('kafka', () => running.producer.disconnect());
  await step('telemetry', () => running.telemetry.stop());
  await running.operations?.close();
}
