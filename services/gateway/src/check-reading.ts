import type { BatchErrorCode } from '@cellarman/contracts';
import { createLineDecoder, READING_FIELD_NAMES, READING_FIELDS } from '@cellarman/reading';
import type { Reading } from '@cellarman/reading';
import { missingRight } from './local-keys.ts';
import type { LocalKey } from './local-keys.ts';

export interface ReadingRejection {
  code: BatchErrorCode;
  error: string;
}

/** Most bytes of one reading, the default of ingest. */
export const MAX_READING_BYTES = 16_384;

const decode = createLineDecoder(READING_FIELDS);

/**
 * Returns the reading in `text`, or why ingest would reject it. Only ingest knows the retention of the cellar, so it checks the
 * timestamp against its clock: the gateway's may be wrong.
 */
export function checkReading(text: string, key: LocalKey, cellar: string): Reading | ReadingRejection {
  if (Buffer.byteLength(text) > MAX_READING_BYTES)
    return { code: 'payload_too_large', error: `A reading must have at most ${MAX_READING_BYTES} bytes` };
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch (error) {
    return { code: 'invalid_json', error: `The body is not valid JSON: ${(error as Error).message}` };
  }
  const decoded = decode(Buffer.from(text));
  if ('reason' in decoded) return { code: 'invalid_reading', error: decoded.reason };
  const unknown = Object.keys(fields as object).find((name) => !isFieldName(name));
  if (unknown !== undefined)
    return { code: 'invalid_reading', error: `the field ${JSON.stringify(unknown)} is not allowed` };
  const reading = JSON.parse(decoded.line.toString()) as Reading;
  return missingRight(reading, key, cellar) ?? reading;
}

function isFieldName(name: string): boolean {
  return READING_FIELD_NAMES.some((known) => known === name);
}
