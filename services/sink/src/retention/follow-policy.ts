import { startLoop } from '@cellarman/concurrency';
import type { ClickHouse } from '@cellarman/clickhouse';
import type { RetentionPolicy } from '@cellarman/contracts';
import type { KeyServiceClient } from '@cellarman/key-service-client';
import type { Logger } from '@cellarman/telemetry';
import { storePolicy } from './store-policy.ts';
import { materializeTtl, setTtl } from './table-ttl.ts';

/** How often ClickHouse is checked although no retention has changed. Another sink or a restore may have changed its tables. */
const CHECK_TABLES_MS = 60_000;
/** How often it is checked while parts wait for their new TTL. */
const CHECK_WAITING_MS = 5_000;

export interface PolicyFollower {
  /** Seconds since the policy was last known to be in step with key-service. */
  ageSeconds(): number;
  stop(): Promise<void>;
}

/**
 * Keeps the retention in ClickHouse in step with key-service: first the policy table, which the view applies immediately, then
 * the TTL, which removes rows. While either side is unreachable, the last policy stays in force.
 */
export function followPolicy(options: {
  clickhouse: ClickHouse;
  keyService: Pick<KeyServiceClient, 'retention'>;
  logger: Logger;
  intervalMs: number;
  /** At least so long between two runs over the stored parts, except when a retention grows. */
  materializeIntervalSeconds: number;
}): PolicyFollower {
  const { clickhouse, keyService, logger, intervalMs, materializeIntervalSeconds } = options;
  let inStepAt = performance.now();
  let isUrgent = false;
  let known: RetentionPolicy | undefined;
  /** What ClickHouse has, in all tables. */
  let applied: RetentionPolicy | undefined;
  let nextCheckAt = 0;

  async function follow(signal: AbortSignal): Promise<number> {
    const policy = await keyService.retention(signal, known);
    const isSame = applied?.cellars === policy.cellars && applied.defaultDays === policy.defaultDays;
    known = policy;
    if (isSame && performance.now() < nextCheckAt) {
      inStepAt = performance.now();
      return jittered(intervalMs);
    }
    applied = undefined;
    const change = await storePolicy(clickhouse, policy);
    if (change.changed > 0) {
      logger.info({ ...change, number: policy.number }, 'retention policy changed, the view applies it');
    }
    // A part that still knows a shorter TTL could be dropped as a whole.
    isUrgent ||= change.isLengthened;
    if (await setTtl(clickhouse, policy)) logger.info({}, 'set the TTL of the table to the new policy');
    const minIntervalSeconds = isUrgent ? 0 : materializeIntervalSeconds;
    const { hasStarted, isWaiting } = await materializeTtl(clickhouse, { minIntervalSeconds });
    if (hasStarted) {
      isUrgent = false;
      logger.info({}, 'materializing the new TTL, merges will remove expired readings');
    }
    inStepAt = performance.now();
    applied = policy;
    nextCheckAt = inStepAt + (isWaiting ? CHECK_WAITING_MS : CHECK_TABLES_MS);
    return jittered(intervalMs);
  }

  const loop = startLoop({
    ...{ work: follow, intervalMs, logger },
    failed: 'could not apply the retention policy, keeping the current one',
    recovered: 'retention policy synchronization has recovered',
  });
  return {
    ageSeconds: () => (performance.now() - inStepAt) / 1_000,
    stop: loop.stop,
  };
}

const jittered = (intervalMs: number) => intervalMs * (0.9 + Math.random() * 0.2);
