import { READINGS_MAX_BYTES, SCHEMA_VERSION, TOPIC_HEADERS } from '@cellarman/contracts';
import type { ConsumedMessage } from '@cellarman/kafka';
import { decodeLine, isCanonicalLine } from '@cellarman/reading';
import type { Decoded } from '@cellarman/reading';

const OUR_VERSION = Buffer.from(SCHEMA_VERSION);

/**
 * What of a message goes into the insert: its bytes as they are when ingest wrote them, otherwise what a strict reading of
 * them gives. Checking 190 bytes takes 0.4 µs, decoding them 10 times as long.
 */
export function toLine(message: ConsumedMessage): Decoded {
  const { value, headers, unreadable } = message;
  if (unreadable !== undefined) return { reason: unreadable };
  if (value === null) return { reason: 'the message has no value' };
  const version = headers?.[TOPIC_HEADERS.schemaVersion];
  if (version instanceof Buffer && version.equals(OUR_VERSION) && isCanonicalLine(value))
    return { line: value };
  // Ingest bounds a body by its own configuration, and the topic bounds every message.
  if (value.length > READINGS_MAX_BYTES) {
    return { reason: `${value.length} bytes are too many for one reading` };
  }
  return decodeLine(value);
}
