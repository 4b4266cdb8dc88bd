import type { Draft } from './draft.ts';
import { refuse } from './draft.ts';
import { MINUS, NINE, QUOTE, ZERO, byteAt, isFault } from './json-bytes.ts';
import { numberProblem } from './number-problem.ts';
import { parseTimestamp, timestampEnd } from './parse-timestamp.ts';
import { CELLAR, TIMESTAMP, VALUE } from './reading-fields.ts';
import { scanExponent, scanFraction, scanInteger } from './scan-number.ts';
import { scanCellar, scanName } from './scan-text-field.ts';

/** Reads the value of a field into the draft. Answers the position behind it, or a fault. */
export function scanField(field: number, bytes: Buffer, start: number, end: number, draft: Draft): number {
  switch (field) {
    case VALUE:
      return scanValue(bytes, start, end, draft);
    case TIMESTAMP:
      return scanTimestamp(bytes, start, end, draft);
    case CELLAR:
      return scanCellar(bytes, start, end, draft);
    default:
      return scanName(field, bytes, start, end, draft);
  }
}

function scanValue(bytes: Buffer, start: number, end: number, draft: Draft): number {
  const first = byteAt(bytes, start, end);
  if (first !== MINUS && (first < ZERO || first > NINE)) {
    return refuse(draft, start, '"value" must be a number');
  }
  const integerEnd = scanInteger(bytes, start, end);
  if (isFault(integerEnd)) return integerEnd;
  const fractionEnd = scanFraction(bytes, integerEnd, end);
  if (isFault(fractionEnd)) return fractionEnd;
  const numberEnd = scanExponent(bytes, fractionEnd, end);
  if (isFault(numberEnd)) return numberEnd;

  const problem = numberProblem(bytes, start, integerEnd, fractionEnd, numberEnd);
  if (problem !== undefined) return refuse(draft, start, `"value" ${problem}`);
  draft.reading.valueStart = start;
  draft.reading.valueEnd = numberEnd;
  return numberEnd;
}

function scanTimestamp(bytes: Buffer, start: number, end: number, draft: Draft): number {
  if (byteAt(bytes, start, end) !== QUOTE) return refuse(draft, start, '"timestamp" must be a string');
  const ms = parseTimestamp(bytes, start, end);
  if (Number.isNaN(ms)) {
    return refuse(
      draft,
      start,
      '"timestamp" must be a time in UTC as YYYY-MM-DDThh:mm:ssZ, with up to 9 fraction digits and without escapes',
    );
  }
  draft.reading.timestampMs = ms;
  draft.reading.timestampStart = start;
  draft.reading.timestampEnd = timestampEnd(bytes, start);
  return draft.reading.timestampEnd;
}
