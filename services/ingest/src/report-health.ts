import type { LanesStats } from '@cellarman/kafka';
import { HEALTH_SLICES, reportHealth } from '@cellarman/key-service-client';
import type { HealthReports, KeyServiceClient } from '@cellarman/key-service-client';
import type { Readiness } from '@cellarman/lifecycle';
import { createRecentCounts } from '@cellarman/telemetry';
import type { Logger } from '@cellarman/telemetry';
import type { IngestMetrics } from './metrics.ts';

/** Reports rates, latency and failing partitions of this replica to key-service, for the Pipeline page. */
export function reportIngestHealth(options: {
  keyService: Pick<KeyServiceClient, 'reportIngestHealth'>;
  version: string;
  readiness: Readiness;
  metrics: Pick<IngestMetrics, 'totals' | 'acknowledgeTimes'>;
  lanes: () => LanesStats;
  logger: Logger;
}): HealthReports {
  const { keyService, version, readiness, metrics, lanes, logger } = options;
  const recent = createRecentCounts(metrics.totals, HEALTH_SLICES);

  return reportHealth({
    ...{ version, readiness, logger },
    send: (report) => keyService.reportIngestHealth(report),
    figures() {
      const { seconds, counts } = recent.read();
      const acknowledgeMs = metrics.acknowledgeTimes.percentiles();
      recent.advance();
      metrics.acknowledgeTimes.advance();
      const { waitingMessages, failing } = lanes();
      return {
        windowSeconds: seconds,
        ...counts,
        acknowledgeMs,
        waitingReadings: waitingMessages,
        failingPartitions: failing.map(({ partition }) => partition),
      };
    },
  });
}
