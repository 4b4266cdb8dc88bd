import { ProduceError } from '../producer/produce-error.ts';
import type { ProduceErrorCode } from '../producer/produce-error.ts';

/** Fields of kafkajs's errors. They are distinguished by name and type, because wrappers copy fields inconsistently. */
interface KafkajsError extends Error {
  readonly type?: string;
  readonly retriable?: boolean;
}

/** kafkajs wraps the error that happened in one that says that it gave up. */
export function rootCause(error: unknown): KafkajsError {
  let current = error instanceof Error ? error : new Error(String(error));
  while (current.cause instanceof Error) current = current.cause;
  return current;
}

/** True for an error that the broker returned; false without a response, or if kafkajs itself failed. */
export function isProtocolError(error: unknown): boolean {
  return typeof rootCause(error).type === 'string';
}

const END_OF_MEMBERSHIP = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'NOT_COORDINATOR_FOR_GROUP',
  'UNKNOWN_MEMBER_ID',
  'FENCED_INSTANCE_ID',
]);

/** Whether the group no longer counts with this member, so that it has to join again. */
export function endsMembership(error: unknown): boolean {
  return END_OF_MEMBERSHIP.has(rootCause(error).type ?? '');
}

const CODE_OF_TYPE: Readonly<Record<string, ProduceErrorCode>> = {
  REQUEST_TIMED_OUT: 'timed_out',
  MESSAGE_TOO_LARGE: 'too_large',
  RECORD_LIST_TOO_LARGE: 'too_large',
  NOT_ENOUGH_REPLICAS: 'not_enough_replicas',
  NOT_ENOUGH_REPLICAS_AFTER_APPEND: 'not_enough_replicas',
};

export function toProduceError(error: unknown, partitions: readonly number[]): ProduceError {
  if (error instanceof ProduceError) return error;
  const cause = rootCause(error);
  return new ProduceError(`Kafka did not acknowledge: ${cause.message}`, {
    ...classify(cause),
    partitions,
    cause,
  });
}

function classify(cause: KafkajsError): { code: ProduceErrorCode; retriable: boolean } {
  if (cause.type !== undefined) {
    const retriable = cause.retriable === true;
    return { code: CODE_OF_TYPE[cause.type] ?? (retriable ? 'unreachable' : 'rejected'), retriable };
  }
  if (cause.name === 'KafkaJSRequestTimeoutError') return { code: 'timed_out', retriable: true };
  // No response of a broker: the connection failed, or there is a bug in kafkajs. A fresh client may succeed.
  return { code: 'unreachable', retriable: true };
}
