import type { Reading } from '@cellarman/client';
import { createLineDecoder, READING_FIELDS, readingJson } from '@cellarman/reading';

export type MappedReading = Reading & { cellar: string };

const decode = createLineDecoder(READING_FIELDS);
const decodeUntimed = createLineDecoder(READING_FIELDS.filter(({ name }) => name !== 'timestamp'));

/**
 * Returns the reading, or why ingest would reject it.
 *
 * @param value a JSON token, so that the digits of a number are checked as they were sent
 * @param timestamp a JSON token; without it, the spool sets the time
 */
export function toReading(
  of: { cellar: string; rack: string; keg: string },
  value: string,
  timestamp: string | undefined,
): MappedReading | { reason: string } {
  const names = {
    cellar: JSON.stringify(of.cellar),
    rack: JSON.stringify(of.rack),
    keg: JSON.stringify(of.keg),
  };
  const json = readingJson({ ...names, value, ...(timestamp !== undefined && { timestamp }) });
  const decoded = (timestamp === undefined ? decodeUntimed : decode)(Buffer.from(json));
  return 'reason' in decoded ? decoded : (JSON.parse(decoded.line.toString()) as MappedReading);
}
