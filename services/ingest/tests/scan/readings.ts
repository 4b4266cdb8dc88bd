import { scanReading } from '../../src/scan-reading.ts';
import type { ScanRefusal, ScannedReading } from '../../src/scan-reading.ts';

/** The JSON of each field's value, as text: so that a test can write what no JavaScript value can say. */
export type RawFields = Record<'cellar' | 'rack' | 'keg' | 'value' | 'timestamp', string>;

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
  if (!result.ok) throw new Error(`refused: ${result.error}`);
  return result;
}

export function refuse(body: string | Buffer): ScanRefusal {
  const result = scanReading(Buffer.from(body as string));
  if (result.ok) throw new Error('accepted');
  return result;
}
