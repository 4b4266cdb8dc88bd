import type { MessageHeaders, ProducerMessage } from '../producer/producer-port.ts';
import type { PublishError } from './publish-error.ts';

/** A message between publish() and its outcome. */
export interface PendingMessage {
  readonly message: ProducerMessage;
  /** An upper bound of its size in a record batch. */
  readonly wireBytes: number;
  /** What it takes in memory until Kafka is done with it. */
  readonly heldBytes: number;
  readonly deadline: number;
  /** It was handed to the producer at least once, so it may be stored. */
  sent: boolean;
  /** The caller has its answer. The bytes may still be with Kafka. */
  answered: boolean;
  readonly resolve: () => void;
  readonly reject: (error: PublishError) => void;
}

/** Lengths as varints, attributes, timestamp and offset delta. */
const RECORD_OVERHEAD = 40;
const HEADER_OVERHEAD = 10;
/** Promise, closures and objects of one message; measured about 500 bytes. */
const HELD_OVERHEAD = 512;

export function wireBytesOf(
  key: string | Buffer,
  value: Buffer,
  headers: MessageHeaders | undefined,
): number {
  let bytes = RECORD_OVERHEAD + Buffer.byteLength(key) + value.length;
  for (const name in headers) bytes += HEADER_OVERHEAD + name.length + Buffer.byteLength(headers[name] ?? '');
  return bytes;
}

export function heldBytesOf(wireBytes: number): number {
  return wireBytes + HELD_OVERHEAD;
}
