import { CLOSE_BRACE, COLON, COMMA, OPEN_BRACE, QUOTE } from '@cellarman/reading/json-bytes';
import { quoteName } from './find-json-error.ts';
import {
  fieldByName,
  fieldName,
  hasRequiredFields,
  keyLength,
  matchField,
  missingFields,
  NO_FIELD,
} from './match-field.ts';
import { scanField } from './scan-field.ts';
import { byteAt, errorAt, isError, skipWhitespace } from './scan-position.ts';
import type { ScanState } from './scan-state.ts';
import { reject } from './scan-state.ts';
import { decodeString, scanString } from './scan-string.ts';
import { decodePlainText } from './scan-text-field.ts';

/** So far before any position that nothing can follow it without a gap. */
const NOT_CANONICAL = -(2 ** 30);

/** Reads the object whose brace is at `start` into the state. Returns the position behind it, or an error. */
export function scanObject(bytes: Buffer, start: number, end: number, state: ScanState): number {
  if (byteAt(bytes, start, end) !== OPEN_BRACE)
    return reject(state, start, 'A reading must be a JSON object');
  let position = skipWhitespace(bytes, start + 1, end);
  const { starts, ends } = state.reading;
  let seen = 0;
  let previous = NO_FIELD;
  let canonicalEnd = start;
  let open = byteAt(bytes, position, end) !== CLOSE_BRACE;
  while (open) {
    let field = matchField(bytes, position, end);
    if (field === NO_FIELD) {
      // Rare: the key is written with escapes, or is none of ours.
      if (byteAt(bytes, position, end) !== QUOTE) return errorAt(position);
      const keyEnd = scanString(bytes, position, end, state.string);
      if (isError(keyEnd)) return keyEnd;
      const name = decodeString(bytes, position, keyEnd, state.string.escaped);
      field = fieldByName(name);
      if (field === NO_FIELD)
        return reject(state, position, `${quoteName(name)} is not a field of a reading`);
      position = keyEnd;
    } else {
      position += keyLength(field);
    }
    const bit = 1 << field;
    if ((seen & bit) !== 0) return reject(state, position, `"${fieldName(field)}" is given twice`);
    seen |= bit;

    position = skipWhitespace(bytes, position, end);
    if (byteAt(bytes, position, end) !== COLON) return errorAt(position);
    const valueStart = skipWhitespace(bytes, position + 1, end);
    position = scanField(field, bytes, valueStart, end, state);
    if (isError(position)) return position;
    starts[field] = valueStart;
    ends[field] = position;
    // The shortest way to write a comma, a name and a colon is the only one of its length.
    const isCanonical = field > previous && valueStart - canonicalEnd === keyLength(field) + 2;
    canonicalEnd = isCanonical ? position : NOT_CANONICAL;
    previous = field;

    position = skipWhitespace(bytes, position, end);
    const byte = byteAt(bytes, position, end);
    if (byte === COMMA) position = skipWhitespace(bytes, position + 1, end);
    else if (byte === CLOSE_BRACE) open = false;
    else return errorAt(position);
  }
  if (!hasRequiredFields(seen)) return reject(state, position, describeMissing(seen));
  state.reading.objectStart = start;
  state.reading.present = seen;
  state.reading.canonicalEnd = canonicalEnd;
  decodePlainText(bytes, state.reading);
  return position + 1;
}

function describeMissing(seen: number): string {
  const names = missingFields(seen).map((name) => `"${name}"`);
  return names.length === 1 ? `${names.join()} is missing` : `${names.join(', ')} are missing`;
}
