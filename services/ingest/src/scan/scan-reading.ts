import { findJsonError } from './find-json-error.ts';
import { scanObject } from './scan-object.ts';
import { isError, skipWhitespace } from './scan-position.ts';
import type { ScannedReading, ScanState } from './scan-state.ts';
import { createScanState, resetScanState } from './scan-state.ts';

/** `error` is for a person and names the field. */
export interface ScanRejection {
  ok: false;
  code: 'invalid_json' | 'invalid_reading';
  error: string;
}

export type ScanResult = ScannedReading | ScanRejection;

/**
 * Checks one reading and finds its parts in one pass over the bytes. JSON.parse would hide what must be rejected:
 * duplicate keys, and numbers that a double cannot hold. The rules are in `docs/http-api.md`.
 */
export function scanReading(bytes: Buffer): ScanResult {
  return scanReadingAt(bytes, 0, bytes.length);
}

/**
 * Scans the reading that fills `bytes` from `start` to `end`, with JSON whitespace around it.
 *
 * @param state a batch uses one again and again: then a good reading is valid until the next scan
 */
export function scanReadingAt(
  bytes: Buffer,
  start: number,
  end: number,
  state: ScanState = createScanState(),
): ScanResult {
  resetScanState(state);
  const objectEnd = scanObject(bytes, skipWhitespace(bytes, start, end), end, state);
  if (!isError(objectEnd) && skipWhitespace(bytes, objectEnd, end) === end) return state.reading;

  // What is not JSON at all is invalid_json, even where another problem of the reading comes first.
  const jsonError = findJsonError(bytes, start, end);
  return jsonError === undefined
    ? { ok: false, code: 'invalid_reading', error: state.problem }
    : { ok: false, code: 'invalid_json', error: `The body is not valid JSON: ${jsonError}` };
}
