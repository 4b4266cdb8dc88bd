import { NAME_MAX_CODE_POINTS } from '@cellarman/contracts';
import type { Draft } from './draft.ts';
import { refuse } from './draft.ts';
import { MINUS, NINE, QUOTE, ZERO, byteAt, isFault } from './json-bytes.ts';
import { numberProblem } from './number-problem.ts';
import { parseTimestamp, timestampEnd } from './parse-timestamp.ts';
import { CELLAR, RACK, TIMESTAMP, VALUE, fieldName } from './reading-fields.ts';
import { scanExponent, scanFraction, scanInteger } from './scan-number.ts';
import { decodeString, scanString } from './scan-string.ts';

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

function scanCellar(bytes: Buffer, start: number, end: number, draft: Draft): number {
  if (byteAt(bytes, start, end) !== QUOTE) return refuse(draft, start, '"cellar" must be a string');
  const stringEnd = scanString(bytes, start, end, draft.facts);
  if (isFault(stringEnd)) return stringEnd;
  const cellar = decodeString(bytes, start, stringEnd, draft.facts);
  if (!isCellarName(cellar)) {
    return refuse(
      draft,
      start,
      '"cellar" must be 1 to 64 letters, digits, dots, underscores or hyphens, a letter or digit first',
    );
  }
  draft.reading.cellar = cellar;
  draft.reading.cellarStart = start;
  draft.reading.cellarEnd = stringEnd;
  return stringEnd;
}

/** A rack or a keg. The keg is needed as text nowhere, so it is not decoded. */
function scanName(field: number, bytes: Buffer, start: number, end: number, draft: Draft): number {
  const { facts, reading } = draft;
  if (byteAt(bytes, start, end) !== QUOTE) {
    return refuse(draft, start, `"${fieldName(field)}" must be a string`);
  }
  const stringEnd = scanString(bytes, start, end, facts);
  if (isFault(stringEnd)) return stringEnd;
  if (facts.codePoints < 1 || facts.codePoints > NAME_MAX_CODE_POINTS) {
    return refuse(draft, start, `"${fieldName(field)}" must have 1 to ${NAME_MAX_CODE_POINTS} characters`);
  }
  if (facts.control) {
    return refuse(draft, start, `"${fieldName(field)}" must not contain control characters`);
  }
  if (facts.loneSurrogate) {
    return refuse(draft, start, `"${fieldName(field)}" contains half of a surrogate pair`);
  }
  if (field === RACK) {
    reading.rack = decodeString(bytes, start, stringEnd, facts);
    reading.rackStart = start;
    reading.rackEnd = stringEnd;
  } else {
    reading.kegStart = start;
    reading.kegEnd = stringEnd;
  }
  return stringEnd;
}

/** The same as the contract's pattern, without a regular expression on the hot path. */
function isCellarName(text: string): boolean {
  if (text.length < 1 || text.length > 64) return false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const letter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
    const digit = code >= ZERO && code <= NINE;
    const inner = code === 0x2d || code === 0x2e || code === 0x5f;
    if (!letter && !digit && !(inner && index > 0)) return false;
  }
  return true;
}
