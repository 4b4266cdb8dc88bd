import { NAME_MAX_CODE_POINTS } from '@cellarman/reading';
import { scanReadingAt } from '../../scan/scan-reading.ts';
import type { ScannedReading } from '../../scan/scan-state.ts';
import { createScanState } from '../../scan/scan-state.ts';
import type { ReadingRejection } from './batch-reader.ts';

/** In UTF-8, which takes at most 4 bytes for a character. */
export const MAX_NAME_BYTES = NAME_MAX_CODE_POINTS * 4;
/** Longer than any number that a sender writes for a double. */
const MAX_NUMBER_BYTES = 1_024;
/** Two names, each byte as an escape of 6, and the rest of a reading. */
const MAX_READING_BYTES = 2 * MAX_NAME_BYTES * 6 + MAX_NUMBER_BYTES + 1_024;

export const NO_TIMESTAMP =
  '"timestamp" is missing: a reading without one would be stored again by each retry';

export interface ScanParts {
  /** Where the ranges of a good reading stand. */
  readonly bytes: Buffer;
  /**
   * @param kegParts what is between the places of `field` in the keg. Other readings may share it, however long it is
   * @param value a JSON number; undefined when it is none
   */
  scan(
    rack: string,
    kegParts: readonly string[],
    field: string,
    value: string | undefined,
    timestamp: string,
  ): ScannedReading | ReadingRejection;
}

/**
 * For readings from other formats: writes each as JSON and passes it through the scanner of all readings, so that the same
 * rules apply.
 *
 * @param encoding latin1: each character is one byte of UTF-8, so that nothing is decoded and encoded again
 */
export function createScanParts(cellar: string, encoding: 'latin1' | 'utf8'): ScanParts {
  const state = createScanState();
  const bytes = Buffer.allocUnsafe(MAX_READING_BYTES);
  return {
    bytes,
    scan(rack, kegParts, field, value, timestamp) {
      if (rack.length > MAX_NAME_BYTES) return rejectReading(tooLong('rack'));
      if (joinedLength(kegParts, field) > MAX_NAME_BYTES) return rejectReading(tooLong('keg'));
      if (value === undefined || value.length > MAX_NUMBER_BYTES) {
        return rejectReading('"value" must be a number');
      }
      const keg = kegParts.join(field);
      const json = `{"cellar":"${cellar}","rack":${JSON.stringify(rack)},"keg":${JSON.stringify(keg)},"value":${value},"timestamp":"${timestamp}"}`;
      const reading = scanReadingAt(bytes, 0, bytes.write(json, encoding), state);
      // It is JSON except for the bytes of the names, which come from a line.
      return reading.ok || reading.code !== 'invalid_json'
        ? reading
        : rejectReading('The line is not valid UTF-8');
    },
  };
}

export function rejectReading(error: string): ReadingRejection {
  return { ok: false, code: 'invalid_reading', error };
}

function joinedLength(parts: readonly string[], separator: string): number {
  return parts.reduce((sum, part) => sum + part.length, (parts.length - 1) * separator.length);
}

function tooLong(field: 'rack' | 'keg'): string {
  return `"${field}" must have 1 to ${NAME_MAX_CODE_POINTS} characters`;
}
