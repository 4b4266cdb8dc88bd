import type { Draft, ScannedReading } from './scan/draft.ts';
import { createDraft, resetDraft } from './scan/draft.ts';
import { findJsonFault } from './scan/find-json-fault.ts';
import { isFault, skipWhitespace } from './scan/json-bytes.ts';
import { scanObject } from './scan/scan-object.ts';

export type { ScannedReading } from './scan/draft.ts';

/** `error` is for a person and names the field. */
export interface ScanRefusal {
  ok: false;
  code: 'invalid_json' | 'invalid_reading';
  error: string;
}

export type ScanResult = ScannedReading | ScanRefusal;

/**
 * Checks one reading and finds its parts in one pass over the bytes. JSON.parse would hide what must be refused:
 * duplicate keys, and numbers that a double cannot hold. The rules stand in `docs/http-api.md`.
 */
export function scanReading(bytes: Buffer): ScanResult {
  return scanReadingAt(bytes, 0, bytes.length);
}

/**
 * Scans the reading that fills `bytes` from `start` to `end`, with JSON whitespace around it.
 *
 * @param draft a batch gives its own, again and again: then a good reading is valid until the next scan
 */
export function scanReadingAt(
  bytes: Buffer,
  start: number,
  end: number,
  draft: Draft = createDraft(),
): ScanResult {
  resetDraft(draft);
  const objectEnd = scanObject(bytes, skipWhitespace(bytes, start, end), end, draft);
  if (!isFault(objectEnd) && skipWhitespace(bytes, objectEnd, end) === end) return draft.reading;

  // What is not JSON at all is invalid_json, even where another fault of the reading comes first.
  const jsonFault = findJsonFault(bytes, start, end);
  return jsonFault === undefined
    ? { ok: false, code: 'invalid_reading', error: draft.problem }
    : { ok: false, code: 'invalid_json', error: `The body is not valid JSON: ${jsonFault}` };
}
