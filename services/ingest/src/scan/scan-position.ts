import { SPACE } from '@cellarman/reading/json-bytes';

/** What `byteAt` returns past the end: no byte has this value. */
export const END = -1;

/** Never reads past `end`, so that a reading inside a larger buffer cannot see the one after it. */
export function byteAt(bytes: Buffer, position: number, end: number): number {
  return position < end ? (bytes[position] as number) : END;
}

/** JSON has four of them: space, tab, line feed and carriage return. Most readings have none: V8 inlines this. */
export function skipWhitespace(bytes: Buffer, start: number, end: number): number {
  return byteAt(bytes, start, end) > SPACE ? start : skipSpaces(bytes, start, end);
}

function skipSpaces(bytes: Buffer, start: number, end: number): number {
  let position = start;
  while (position < end) {
    const byte = bytes[position] as number;
    if (byte !== SPACE && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    position++;
  }
  return position;
}

/**
 * The functions that scan return the position behind what they read, or an error: the bitwise complement of the position
 * of the first byte that JSON does not allow. An error is negative, and no object is made for it.
 */
export function errorAt(position: number): number {
  return ~position;
}

export function isError(position: number): boolean {
  return position < 0;
}

export function errorPosition(error: number): number {
  return ~error;
}
