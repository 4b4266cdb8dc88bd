import { SCHEMA_VERSION, TOPIC_HEADERS } from '@cellarman/contracts';
import type { ConsumedMessage } from '@cellarman/kafka';
import { decodeLine } from '../lines/decode-line.ts';
import type { Decoded } from '../lines/decode-line.ts';
import { isCanonicalLine } from '../lines/is-canonical-line.ts';

const OUR_VERSION = Buffer.from(SCHEMA_VERSION);

/**
 * What of a message goes into the insert: its bytes as they are when ingest wrote them, otherwise what a strict reading of
 * them gives. Checking 190 bytes takes 0.4 µs, decoding them 10 times as long.
 */
export function toLine(message: ConsumedMessage): Decoded {
  const { value, headers } = message;
  if (value === null) return { reason: 'the message has no value' };
  const version = headers?.[TOPIC_HEADERS.schemaVersion];
  if (version instanceof Buffer && version.equals(OUR_VERSION) && isCanonicalLine(value))
    return { line: value };
  return decodeLine(value);
}
