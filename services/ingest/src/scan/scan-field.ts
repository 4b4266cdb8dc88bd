import { EXACT_DIGITS, fractionEnd, numberProblem, READING_FIELDS, timestampMs } from '@cellarman/reading';
import { MINUS, NINE, QUOTE, ZERO } from '@cellarman/reading/json-bytes';
import { fieldName } from './match-field.ts';
import { scanExponent, scanFraction, scanInteger } from './scan-number.ts';
import { byteAt, isError } from './scan-position.ts';
import type { ScanState } from './scan-state.ts';
import { reject } from './scan-state.ts';
import { rejectType } from './reject-type.ts';
import { scanCellar, scanName } from './scan-text-field.ts';

/** Without an exponent, a number of up to this many characters neither reaches 1.8e308 nor falls below 5e-324. */
const FINITE_LENGTH = 300;

const KINDS = READING_FIELDS.map(({ kind }) => kind);

/** Reads the value of a field. Returns the position behind it, or an error. */
export function scanField(
  field: number,
  bytes: Buffer,
  start: number,
  end: number,
  state: ScanState,
): number {
  const kind = KINDS[field] as (typeof KINDS)[number];
  switch (kind) {
    case 'number':
      return scanNumber(field, bytes, start, end, state);
    case 'timestamp':
      return scanTimestamp(field, bytes, start, end, state);
    case 'cellar':
      return scanCellar(bytes, start, end, state);
    case 'name':
      return scanName(field, bytes, start, end, state);
  }
}

function scanNumber(field: number, bytes: Buffer, start: number, end: number, state: ScanState): number {
  const first = byteAt(bytes, start, end);
  if (first !== MINUS && (first < ZERO || first > NINE)) {
    return rejectType(field, 'a number', bytes, start, end, state);
  }
  const integerEnd = scanInteger(bytes, start, end);
  if (isError(integerEnd)) return integerEnd;
  const fractionEnd = scanFraction(bytes, integerEnd, end);
  if (isError(fractionEnd)) return fractionEnd;
  const numberEnd = scanExponent(bytes, fractionEnd, end);
  if (isError(numberEnd)) return numberEnd;

  // Most numbers need no other check.
  const safeLength = integerEnd === numberEnd ? EXACT_DIGITS : FINITE_LENGTH;
  if (fractionEnd === numberEnd && numberEnd - start <= safeLength) return numberEnd;
  const problem = numberProblem(bytes.toString('latin1', start, numberEnd));
  return problem === undefined ? numberEnd : reject(state, start, `"${fieldName(field)}" ${problem}`);
}

function scanTimestamp(field: number, bytes: Buffer, start: number, end: number, state: ScanState): number {
  if (byteAt(bytes, start, end) !== QUOTE) return rejectType(field, 'a string', bytes, start, end, state);
  const textEnd = fractionEnd(bytes, start + 1, end, 0, 9);
  const ms = textEnd < 0 ? NaN : timestampMs(bytes, start + 1);
  if (Number.isNaN(ms) || byteAt(bytes, textEnd, end) !== QUOTE) {
    return reject(
      state,
      start,
      `"${fieldName(field)}" must be a time in UTC as YYYY-MM-DDThh:mm:ssZ, with up to 9 fraction digits and without escapes`,
    );
  }
  state.reading.timestampMs = ms;
  return textEnd + 1;
}
