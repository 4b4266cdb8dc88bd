import { DEAD_LETTER_HEADERS, MAX_KEPT_PAYLOAD_BYTES } from '@cellarman/contracts';
import type { DeadLetter } from '@cellarman/contracts';
import type { ConsumedHeaders, ConsumedMessage } from '@cellarman/kafka';

const OWN = new Set<string>(Object.values(DEAD_LETTER_HEADERS));
/** Of a partition and of a date in PostgreSQL, as key-service stores them. */
const MAX_PARTITION = 2 ** 31 - 1;
const MAX_TIMESTAMP = Date.UTC(9999, 0);
const MAX_REASON_LENGTH = 1_000;
const MAX_KEY_BYTES = 1_024;
const MAX_HEADERS_LENGTH = 8_192;
/** As dead-letter-message.ts writes it. */
const IS_CUT = /\(cut: it had \d+ bytes of key, /;

/** A message of the dead-letter topic, for key-service. Undefined for one that another program has written. */
export function readDeadLetter({
  key,
  value,
  headers = {},
  timestamp,
}: ConsumedMessage): DeadLetter | undefined {
  const topic = textOf(headers, DEAD_LETTER_HEADERS.topic);
  const partition = Number(textOf(headers, DEAD_LETTER_HEADERS.partition));
  const offset = textOf(headers, DEAD_LETTER_HEADERS.offset) ?? '';
  if (topic === undefined || topic.length > 249) return undefined;
  if (!Number.isSafeInteger(partition) || partition < 0 || partition > MAX_PARTITION) return undefined;
  if (!/^[0-9]{1,18}$/.test(offset)) return undefined;
  const reason = textOf(headers, DEAD_LETTER_HEADERS.reason) ?? 'unknown';
  const payload = value ?? Buffer.alloc(0);
  const kept = payload.subarray(0, MAX_KEPT_PAYLOAD_BYTES);
  return {
    ...{ topic, partition, offset, reason: reason.slice(0, MAX_REASON_LENGTH).toWellFormed() },
    at: new Date(Math.min(Math.max(0, Number(timestamp)), MAX_TIMESTAMP)).toISOString(),
    key: (key ?? Buffer.alloc(0)).subarray(0, MAX_KEY_BYTES).toString('base64'),
    value: kept.toString('base64'),
    size: payload.length,
    isTruncated: kept.length < payload.length || IS_CUT.test(reason),
    headers: ownHeaders(headers),
  };
}

/** Those of the message itself, as far as they fit. */
function ownHeaders(headers: ConsumedHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  let length = 0;
  for (const name of Object.keys(headers)) {
    const text = textOf(headers, name) ?? '';
    length += name.length + text.length;
    if (length > MAX_HEADERS_LENGTH) return kept;
    if (!OWN.has(name)) kept[name] = text;
  }
  return kept;
}

function textOf(headers: ConsumedHeaders, name: string): string | undefined {
  const value = headers[name];
  const last = Array.isArray(value) ? value.at(-1) : value;
  return last?.toString();
}
