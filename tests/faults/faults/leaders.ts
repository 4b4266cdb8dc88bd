import { until } from '@cellarman/local-stack';
import { READINGS_TOPIC } from '@cellarman/contracts';
import { createKafkaProducer, silentLogger } from '@cellarman/kafka';
import type { RunningRound } from '../round.ts';

export interface Leader {
  /** Counted from 0, as the local stack counts its brokers. */
  index: number;
  /** The partitions of the readings topic that it leads. */
  partitions: number[];
}

/** The broker that leads most partitions of the readings topic. Waits until each partition has a leader. */
export async function busiestLeader({ harness }: RunningRound): Promise<Leader> {
  const brokers = harness.product.run().kafkaBrokers;
  const connection = { brokers, clientId: 'cellarman-faults', logger: silentLogger };
  return until('each partition has a leader', async () => {
    const producer = createKafkaProducer({ connection, topics: [READINGS_TOPIC] });
    try {
      await producer.connect();
      const leaders = producer.leaders(READINGS_TOPIC) ?? [];
      if (leaders.length === 0 || leaders.includes(undefined)) return undefined;
      const ledBy = brokers.map((_, index) => ({
        index,
        partitions: [...leaders.keys()].filter((partition) => leaders[partition] === index + 1),
      }));
      return ledBy.toSorted((a, b) => b.partitions.length - a.partitions.length)[0];
    } catch {
      return undefined;
    } finally {
      await producer.disconnect();
    }
  });
}
