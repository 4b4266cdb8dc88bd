import { ENOUGH_MESSAGES } from '@cellarman/kafka';
import { measured } from './measurements.ts';

const LINGERS_MS = [0, 5, 10, 20];

/** `PRODUCER_LINGER_MS`: the shortest with which record batches are full, or else the longest if readings share batches at all. */
export function chooseLinger(partitionRate: number, readingsPerRequest: number): number {
  if (readingsPerRequest >= ENOUGH_MESSAGES) return 0;
  const enough = LINGERS_MS.find(
    (ms) => messagesPerBatch(partitionRate, readingsPerRequest, ms) >= ENOUGH_MESSAGES,
  );
  const compressed = LINGERS_MS.findLast(
    (ms) => messagesPerBatch(partitionRate, readingsPerRequest, ms) >= 2,
  );
  return enough ?? compressed ?? 0;
}

/**
 * Messages that share a record batch: those that arrive for a partition while the one before is acknowledged, and during the
 * linger.
 *
 * @param partitionRate readings per second of one replica of ingest for one partition
 */
export function messagesPerBatch(
  partitionRate: number,
  readingsPerRequest: number,
  lingerMs: number,
): number {
  const whileInFlight = (partitionRate * measured('acknowledgedMs')) / 1_000;
  const duringLinger = Math.min(
    (partitionRate * (lingerMs + measured('acknowledgedMs'))) / 1_000,
    ENOUGH_MESSAGES,
  );
  return Math.max(1, readingsPerRequest, whileInFlight, lingerMs === 0 ? 0 : duringLinger);
}

/** With zstd, between the measured sizes by the logarithm of the number. */
export function bytesPerReading(messages: number): number {
  const points: [number, number][] = [
    [1, measured('bytesOf1')],
    [2, measured('bytesOf2')],
    [8, measured('bytesOf8')],
    [32, measured('bytesOf32')],
    [100, measured('bytesOf100')],
  ];
  const after = points.findIndex(([count]) => count > messages);
  if (after === -1) return measured('bytesOf100');
  const [m0, b0] = points[Math.max(0, after - 1)] as [number, number];
  const [m1, b1] = points[after] as [number, number];
  return b0 + ((b1 - b0) * Math.log(messages / m0)) / Math.log(m1 / m0);
}
