import { setTimeout as delay } from 'node:timers/promises';
import { fetchTopicHealth } from '@cellarman/kafka';
import type { KafkaConnection, PartitionState } from '@cellarman/kafka';
import type { Logger } from '@cellarman/telemetry';

export interface PartitionWatch {
  /** The partitions as Kafka described them last. null: another sink fetches them, or Kafka does not respond. */
  latest(): { ageMs: number; partitions: PartitionState[] } | null;
  stop(): Promise<void>;
}

const INTERVAL_MS = 5_000;
const IDLE_MS = 1_000;
/** An older description is not reported: it would look like the present. */
const MAX_AGE_MS = 20_000;
const STOP_MS = 2_000;

/**
 * Fetches leaders, in-sync replicas and lag of the topic every few seconds. The lag that a consumer knows is that of its
 * last fetch: while ClickHouse is away it does not grow.
 */
export function watchPartitions(options: {
  connection: KafkaConnection;
  topic: string;
  groupId: string;
  /** Of the sinks that share the topic, one fetches. */
  isMine: () => boolean;
  logger: Logger;
}): PartitionWatch {
  const { connection, topic, groupId, isMine, logger } = options;
  const stopped = new AbortController();
  const isStopped = () => stopped.signal.aborted;
  let found: { at: number; partitions: PartitionState[] } | undefined;

  async function run(): Promise<void> {
    while (!isStopped()) {
      if (isMine()) await look();
      else found = undefined;
      const pauseMs = isMine() ? INTERVAL_MS : IDLE_MS;
      await delay(pauseMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  }

  async function look(): Promise<void> {
    try {
      const partitions = await fetchTopicHealth(connection, { topic, groupId });
      found = { at: performance.now(), partitions };
    } catch (error) {
      logger.debug({ err: error }, 'could not fetch the state of the partitions');
    }
  }

  const running = run();
  return {
    latest() {
      if (found === undefined) return null;
      const ageMs = performance.now() - found.at;
      return ageMs > MAX_AGE_MS ? null : { ageMs, partitions: found.partitions };
    },
    async stop() {
      stopped.abort();
      // A broker that is away is not waited for.
      await Promise.race([running, delay(STOP_MS, undefined, { ref: false })]);
    },
  };
}
