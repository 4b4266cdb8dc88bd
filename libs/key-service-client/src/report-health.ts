import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { HEALTH_INTERVAL_MS } from '@cellarman/contracts';
import type { IngestHealth } from '@cellarman/contracts';
import type { Logger } from '@cellarman/telemetry';
import { reportEvery } from './report-every.ts';

/** What every replica reports, whatever it does. */
type Replica = Pick<
  IngestHealth,
  'process' | 'host' | 'version' | 'uptimeSeconds' | 'isStopping' | 'notReady'
>;

export interface HealthReportsOptions<Figures extends object> {
  send: (report: Replica & Figures) => Promise<void>;
  version: string;
  readiness: { report(): { parts: Record<string, { ready: boolean; reason?: string }> } };
  /** Reads the figures and begins the next slice of their windows. */
  figures: () => Figures;
  logger: Logger;
  /** @default HEALTH_INTERVAL_MS */
  intervalMs?: number;
}

export interface HealthReports {
  /** Ends with a last report, which removes the replica from the list. */
  stop(): Promise<void>;
}

/** Windows have this many slices: 30 s at the default interval. */
export const HEALTH_SLICES = 15;

/** Reports the health of this process to key-service until it is stopped. What cannot be reported is superseded by the next report. */
export function reportHealth<Figures extends object>(options: HealthReportsOptions<Figures>): HealthReports {
  const { send, version, readiness, figures, logger, intervalMs = HEALTH_INTERVAL_MS } = options;
  const identity = { process: randomUUID(), host: hostname(), version };

  async function sendReport(isStopping: boolean): Promise<void> {
    const notReady = Object.entries(readiness.report().parts)
      .filter(([, { ready }]) => !ready)
      .map(([part, { reason = 'not ready' }]) => ({ part, reason: reason.slice(0, 1_000) }));
    try {
      await send({ ...identity, uptimeSeconds: process.uptime(), isStopping, notReady, ...figures() });
    } catch (error) {
      logger.debug({ err: error }, 'could not report the health of this replica, will retry');
    }
  }

  let running = sendReport(false);
  const stopReports = reportEvery(intervalMs, () => (running = sendReport(false)));
  return {
    async stop() {
      stopReports();
      // Otherwise an earlier report could add the replica again.
      await running;
      await sendReport(true);
    },
  };
}
