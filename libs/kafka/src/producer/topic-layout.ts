import type { PartitionMetadata } from 'kafkajs';
import { withAdmin } from '../client/admin-session.ts';
import { startingAt } from '../client/kafka-connection.ts';
import type { ClientTiming, KafkaConnection } from '../client/kafka-connection.ts';
import type { PartitionLeaders } from './producer-port.ts';

/** The replicas of a partition as a broker last described them. */
export interface PartitionReplicas {
  readonly replicas: number;
  readonly inSync: number;
  /** Milliseconds since 1970. */
  readonly checkedAt: number;
}

export interface TopicLayout {
  /** Fetches the layout now and then about every ten seconds. Rejects when the first fetch fails, and keeps trying. */
  start(): Promise<void>;
  leaders(topic: string): PartitionLeaders | undefined;
  replicas(topic: string, partition: number): PartitionReplicas | undefined;
  /** Takes over what a producer client has just seen. */
  learn(topic: string, partitions: readonly PartitionMetadata[]): void;
  /** Fetches it again soon, because a send failed. */
  refreshSoon(): void;
  stop(): Promise<void>;
}

const REFRESH_MS = 10_000;
/** While a topic is unknown or sends fail. */
const REFRESH_SOON_MS = 1_000;

/** How many partitions a topic has and who leads them; kept up to date in the background. */
export function createTopicLayout(options: {
  connection: KafkaConnection;
  topics: readonly string[];
  timing: ClientTiming;
}): TopicLayout {
  const { connection, topics, timing } = options;
  const known = new Map<string, PartitionLeaders>();
  const described = new Map<string, { partitions: readonly PartitionMetadata[]; checkedAt: number }>();
  let timer: NodeJS.Timeout | undefined;
  let isSoon = false;
  let running: Promise<void> | undefined;
  let stopped = false;
  let attempts = 0;

  function leadersOf(partitions: readonly PartitionMetadata[]): PartitionLeaders {
    const leaders = new Array<number | undefined>(partitions.length).fill(undefined);
    for (const { partitionId, leader } of partitions) if (leader >= 0) leaders[partitionId] = leader;
    return leaders;
  }

  async function refresh(): Promise<void> {
    await withAdmin(
      startingAt(connection, attempts++),
      async (admin) => {
        // One request per topic, because an unknown topic fails the whole request.
        const requests = topics.map(async (topic) => {
          const [response] = (await admin.fetchTopicMetadata({ topics: [topic] })).topics;
          if (response === undefined) return;
          known.set(topic, leadersOf(response.partitions));
          described.set(topic, { partitions: response.partitions, checkedAt: Date.now() });
        });
        for (const result of await Promise.allSettled(requests)) {
          if (result.status === 'rejected') throw result.reason;
        }
      },
      timing,
    );
  }

  function schedule(soon: boolean): void {
    if (stopped) return;
    clearTimeout(timer);
    isSoon = soon;
    timer = setTimeout(run, soon ? REFRESH_SOON_MS : REFRESH_MS);
  }

  function run(): void {
    running = refresh()
      .catch((error: unknown) => {
        connection.logger.warn({ error: String(error) }, 'cannot list the topics of Kafka, retrying');
      })
      .finally(() => {
        running = undefined;
        schedule(!allKnown());
      });
  }

  const allKnown = (): boolean => topics.every((topic) => known.has(topic));

  return {
    start: async () => {
      try {
        await refresh();
      } finally {
        schedule(!allKnown());
      }
    },
    leaders: (topic) => known.get(topic),
    replicas: (topic, partition) => {
      const { partitions, checkedAt = 0 } = described.get(topic) ?? {};
      const found = partitions?.find(({ partitionId }) => partitionId === partition);
      return found && { replicas: found.replicas.length, inSync: found.isr.length, checkedAt };
    },
    learn: (topic, partitions) => {
      // The metadata of a client may be hours old: its leaders are used, but not its number of partitions.
      if (partitions.length === known.get(topic)?.length) known.set(topic, leadersOf(partitions));
    },
    refreshSoon: () => {
      if (!isSoon && running === undefined) schedule(true);
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
