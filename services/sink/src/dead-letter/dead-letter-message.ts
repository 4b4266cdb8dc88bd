import { DEAD_LETTER_HEADERS } from '@cellarman/contracts';
import type { ConsumedHeaders, MessageHeaders, ProducerMessage } from '@cellarman/kafka';
import type { BadRow } from '../batch/batch.ts';

export interface DeadLetter {
  message: ProducerMessage;
  /** An upper bound of what it takes in a record batch of its own. */
  bytes: number;
}

/** Headers are for people who look for the cause; a parser may quote a whole message. */
const MAX_REASON_LENGTH = 500;
/** Of a message that is cut, its key and its headers get so much each, and the value what is left. */
const PART_OF_CUT = 4;
/** The head of a record batch, and of a record its lengths, attributes, timestamp and offset. */
const RECORD_OVERHEAD = 61 + 40;
const HEADER_OVERHEAD = 10;
const EMPTY = Buffer.alloc(0);

/**
 * The message as it was, with the reason and the place that it came from. What would be larger than `maxBytes` is cut, and
 * says so: the whole is where it came from, as long as Kafka keeps it.
 */
export function toDeadLetter(row: BadRow, origin: string, maxBytes: number): DeadLetter {
  const reason = row.reason.slice(0, MAX_REASON_LENGTH);
  const own: MessageHeaders = {
    [DEAD_LETTER_HEADERS.reason]: reason,
    [DEAD_LETTER_HEADERS.topic]: origin,
    [DEAD_LETTER_HEADERS.partition]: String(row.partition),
    [DEAD_LETTER_HEADERS.offset]: String(row.offset),
  };
  const { key, value } = { key: row.key ?? EMPTY, value: row.value ?? EMPTY };
  const headers = single(row.headers);
  const whole = sized({ key, value, headers: { ...headers, ...own } });
  if (whole.bytes <= maxBytes) return whole;

  const kept = bytesOf(headers) > maxBytes / PART_OF_CUT ? {} : headers;
  const frame: ProducerMessage = {
    key: key.subarray(0, Math.floor(maxBytes / PART_OF_CUT)),
    value: EMPTY,
    headers: {
      ...kept,
      ...own,
      [DEAD_LETTER_HEADERS.reason]: `${reason} (cut: it had ${key.length} bytes of key, ${value.length} of value and ${Object.keys(headers).length} headers of ${bytesOf(headers)})`,
    },
  };
  const room = Math.max(0, maxBytes - sized(frame).bytes);
  return sized({ ...frame, value: value.subarray(0, room) });
}

/**
 * A repeated header keeps its last value: the producer port knows one for each name. One without a value, which the port
 * does not know either, becomes an empty one, so that its name is kept.
 */
function single(headers: ConsumedHeaders): MessageHeaders {
  const values: Record<string, Buffer | string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) values[name] = last ?? EMPTY;
  }
  return values;
}

function sized(message: ProducerMessage): DeadLetter {
  const { key, value, headers = {} } = message;
  return { message, bytes: RECORD_OVERHEAD + Buffer.byteLength(key) + value.length + bytesOf(headers) };
}

function bytesOf(headers: MessageHeaders): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(headers)) {
    bytes += HEADER_OVERHEAD + Buffer.byteLength(name) + Buffer.byteLength(value);
  }
  return bytes;
}
