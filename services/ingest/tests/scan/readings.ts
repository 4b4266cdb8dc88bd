import { READING_FIELD_NAMES } from '@cellarman/reading';
import type { ReadingField } from '@cellarman/reading';
import { scanReading } from '../../src/scan/scan-reading.ts';
import type { ScanRejection } from '../../src/scan/scan-reading.ts';
import type { ScannedReading } from '../../src/scan/scan-state.ts';

/** The JSON of each field's value, as text: so that a test can write what no JavaScript value can say. */
export type RawFields = Record<ReadingField, string>;

export const GOOD_FIELDS: RawFields = {
  cellar: '"demo"',
  rack: '"boiler-house-2"',
  keg: '"temperature"',
  value: '21.5',
  timestamp: '"2026-11-21T06:30:00Z"',
};

export function bodyOf(fields: Partial<RawFields> = {}): string {
  const members = Object.entries({ ...GOOD_FIELDS, ...fields }).map(([name, raw]) => `"${name}":${raw}`);
  return `{${members.join(',')}}`;
}

export function accept(body: string | Buffer): ScannedReading {
  const result = scanReading(Buffer.from(body as string));
  if (!result.ok) throw new Error(`rejected: ${result.error}`);
  return result;
}

export function reject(body: string | Buffer): ScanRejection {
  const result = scanReading(Buffer.from(body as string));
  if (result.ok) throw new Error('accepted');
  return result;
}

/** The bytes of a field's value, as text; undefined for one that the reading does not have. */
export function rawValue(
  body: string | Buffer,
  reading: ScannedReading,
  field: ReadingField,
): string | undefined {
  const index = READING_FIELD_NAMES.indexOf(field);
  if ((reading.present & (1 << index)) === 0) return undefined;
  return Buffer.from(body as string).toString('utf8', reading.starts[index], reading.ends[index]);
}
