import type { MessageHeaders, ProducerMessage } from '../producer/producer-port.ts';
import type { PublishError } from './publish-error.ts';

/** Called with where all in-sync replicas have a message. */
export type OnStored = (partition: number, offset: number | undefined) => void;

/** Who waits for messages. The messages of a group share one of them, so that none has closures of its own. */
export interface Publisher {
  acknowledged(index: number, partition: number, offset: number | undefined): void;
  failed(index: number, error: PublishError): void;
}

/** A message between its publishing and its outcome. */
export interface PendingMessage {
  readonly message: ProducerMessage;
  readonly publisher: Publisher;
  /** Which of the messages of its publisher it is. */
  readonly index: number;
  /** An upper bound of its size in a record batch. */
  readonly wireBytes: number;
  /** What it takes in memory until Kafka is done with it. */
  readonly heldBytes: number;
  readonly deadline: number;
  /** It was handed to the producer at least once, so it may be stored. */
  sent: boolean;
  /** The caller has its outcome. The bytes may still be in flight to Kafka. */
  answered: boolean;
}

export function pendingMessage(
  message: ProducerMessage,
  publisher: Publisher,
  index: number,
  wireBytes: number,
  heldBytes: number,
  deadline: number,
): PendingMessage {
  return { message, publisher, index, wireBytes, heldBytes, deadline, sent: false, answered: false };
}

/** Lengths as varints, attributes, timestamp and offset delta. */
const RECORD_OVERHEAD = 40;
const HEADER_OVERHEAD = 10;
/** Promise, closures and objects of one message; measured about 500 bytes. */
const HELD_OVERHEAD = 512;
/** A message of a group has no promise and no closures. */
const HELD_OVERHEAD_IN_GROUP = 320;

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

export function heldBytesInGroup(wireBytes: number): number {
  return wireBytes + HELD_OVERHEAD_IN_GROUP;
}
