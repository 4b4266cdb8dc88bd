import { HEALTH_SLICES, reportHealth } from '@cellarman/key-service-client';
import type { HealthReports, KeyServiceClient } from '@cellarman/key-service-client';
import type { Readiness } from '@cellarman/lifecycle';
import { createRecentCounts } from '@cellarman/telemetry';
import type { Logger } from '@cellarman/telemetry';
import { oldestAgeSeconds } from '../batch/oldest-age.ts';
import type { Consumption } from '../consume/consume.ts';
import type { SinkMetrics } from '../metrics.ts';
import type { PartitionWatch } from './watch-partitions.ts';

/**
 * Reports rates, freshness and partitions of this sink to key-service, for the Pipeline page. It begins before the sink
 * consumes, so that a sink that waits for ClickHouse or Kafka is seen too.
 */
export function reportSinkHealth(options: {
  keyService: Pick<KeyServiceClient, 'reportSinkHealth'>;
  version: string;
  readiness: Readiness;
  metrics: Pick<SinkMetrics, 'totals' | 'storeTimes' | 'behind'>;
  consumption: () => Consumption | undefined;
  partitions: () => PartitionWatch | undefined;
  logger: Logger;
}): HealthReports {
  const { keyService, version, readiness, metrics, consumption, partitions, logger } = options;
  const recent = createRecentCounts(metrics.totals, HEALTH_SLICES);

  return reportHealth({
    ...{ version, readiness, logger },
    send: (report) => keyService.reportSinkHealth(report),
    figures() {
      const { seconds, counts } = recent.read();
      const storeMs = metrics.storeTimes.percentiles();
      recent.advance();
      metrics.storeTimes.advance();
      const consuming = consumption();
      const unstored = oldestAgeSeconds(consuming?.stats().firstLines ?? [], Date.now());
      return {
        windowSeconds: seconds,
        ...counts,
        storeMs,
        behindMs: metrics.behind.milliseconds(unstored),
        partitions: [...(consuming?.lag().keys() ?? [])],
        hasFailed: consuming?.hasFailed() ?? false,
        topic: partitions()?.latest() ?? null,
      };
    },
  });
}
