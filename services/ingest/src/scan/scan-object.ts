import type { Draft } from './draft.ts';
import { refuse } from './draft.ts';
import { quoteName } from './find-json-fault.ts';
import {
  CLOSE_BRACE,
  COLON,
  COMMA,
  OPEN_BRACE,
  QUOTE,
  byteAt,
  fault,
  isFault,
  skipWhitespace,
} from './json-bytes.ts';
import {
  ALL_FIELDS,
  NO_FIELD,
  fieldByName,
  fieldName,
  keyLength,
  matchField,
  missingFields,
} from './reading-fields.ts';
import { scanField } from './scan-field.ts';
import { decodeString, scanString } from './scan-string.ts';
import { decodePlainText } from './scan-text-field.ts';

/** Reads the object whose brace is at `start` into the draft. Answers the position behind it, or a fault. */
export function scanObject(bytes: Buffer, start: number, end: number, draft: Draft): number {
  if (byteAt(bytes, start, end) !== OPEN_BRACE)
    return refuse(draft, start, 'A reading must be a JSON object');
  let position = skipWhitespace(bytes, start + 1, end);
  let seen = 0;
  let open = byteAt(bytes, position, end) !== CLOSE_BRACE;
  while (open) {
    let field = matchField(bytes, position, end);
    if (field === NO_FIELD) {
      // Rare: the key is written with escapes, or is none of ours.
      if (byteAt(bytes, position, end) !== QUOTE) return fault(position);
      const keyEnd = scanString(bytes, position, end, draft.facts);
      if (isFault(keyEnd)) return keyEnd;
      const name = decodeString(bytes, position, keyEnd, draft.facts.escaped);
      field = fieldByName(name);
      if (field === NO_FIELD)
        return refuse(draft, position, `${quoteName(name)} is not a field of a reading`);
      position = keyEnd;
    } else {
      position += keyLength(field);
    }
    const bit = 1 << field;
    if ((seen & bit) !== 0) return refuse(draft, position, `"${fieldName(field)}" is given twice`);
    seen |= bit;

    position = skipWhitespace(bytes, position, end);
    if (byteAt(bytes, position, end) !== COLON) return fault(position);
    position = scanField(field, bytes, skipWhitespace(bytes, position + 1, end), end, draft);
    if (isFault(position)) return position;

    position = skipWhitespace(bytes, position, end);
    const byte = byteAt(bytes, position, end);
    if (byte === COMMA) position = skipWhitespace(bytes, position + 1, end);
    else if (byte === CLOSE_BRACE) open = false;
    else return fault(position);
  }
  if (seen !== ALL_FIELDS) return refuse(draft, position, describeMissing(seen));
  draft.reading.objectStart = start;
  decodePlainText(bytes, draft.reading);
  return position + 1;
}

function describeMissing(seen: number): string {
  const names = missingFields(seen).map((name) => `"${name}"`);
  return names.length === 1 ? `${names.join()} is missing` : `${names.join(', ')} are missing`;
}
