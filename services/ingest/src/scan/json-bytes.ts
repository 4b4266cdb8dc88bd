/** Bytes of the JSON grammar, by name. */
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const SPACE = 0x20;
export const ZERO = 0x30;
export const NINE = 0x39;
export const MINUS = 0x2d;
export const DELETE = 0x7f;

/** What `byteAt` answers past the end: no byte has this value. */
export const END = -1;

/** Never reads past `end`, so that a reading inside a larger buffer cannot see its neighbour. */
export function byteAt(bytes: Buffer, position: number, end: number): number {
  return position < end ? (bytes[position] as number) : END;
}

/** JSON knows four of them: space, tab, line feed and carriage return. Most readings have none: V8 inlines this. */
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
 * The functions that scan answer with the position behind what they read, or with the fault: the bitwise complement
 * of the position of the first byte that JSON does not allow. A fault is negative, and no object is made for it.
 */
export function fault(position: number): number {
  return ~position;
}

export function isFault(position: number): boolean {
  return position < 0;
}

export function faultPosition(code: number): number {
  return ~code;
}
