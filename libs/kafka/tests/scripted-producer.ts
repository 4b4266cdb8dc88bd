import { ProduceError, partitionOf } from '../src/index.ts';
import type { BaseOffsets, PartitionMessages, ProduceErrorCode, ProducerPort } from '../src/index.ts';

/** One send that the lanes made, to be settled by the test. */
export interface ScriptedSend {
  readonly partitions: number[];
  /** The values by partition. */
  readonly values: Record<number, string[]>;
  /** @param offset of the first message of each partition */
  succeed(offset?: number): void;
  /** Not acknowledged for these partitions, or for none of the send. */
  fail(code?: ProduceErrorCode, partitions?: number[], retriable?: boolean, acknowledged?: BaseOffsets): void;
}

/** A producer whose outcomes the test supplies. */
export function scriptedProducer(leaders: (number | undefined)[] | undefined) {
  const sends: ScriptedSend[] = [];
  const state = { leaders };
  const port: ProducerPort = {
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
    leaders: () => state.leaders,
    send: (_topic, batches) => {
      const { promise, resolve, reject } = Promise.withResolvers<BaseOffsets>();
      const sent = batches.map(({ partition }) => partition);
      sends.push({
        partitions: sent,
        values: valuesOf(batches),
        succeed: (offset = 0) => resolve(new Map(sent.map((partition) => [partition, offset]))),
        fail: (
          code = 'unreachable',
          partitions = sent,
          retriable = code !== 'rejected' && code !== 'too_large',
          acknowledged = new Map(),
        ) => reject(new ProduceError(`scripted: ${code}`, { code, retriable, partitions, acknowledged })),
      });
      return promise;
    },
  };
  return { port, sends, state };
}

function valuesOf(batches: readonly PartitionMessages[]): Record<number, string[]> {
  return Object.fromEntries(
    batches.map(({ partition, messages }) => [partition, messages.map(({ value }) => value.toString())]),
  );
}

/** A key of the wanted partition. */
export function keyOf(partition: number, partitions: number): string {
  for (let i = 0; ; i++) if (partitionOf(`key-${i}`, partitions) === partition) return `key-${i}`;
}
