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
export const DOT = 0x2e;
export const DELETE = 0x7f;

/** Classes of bytes, one bit each. */
export const CELLAR_FIRST = 1;
export const CELLAR_REST = 2;
export const KEY_ID = 4;
/** Stands for itself in the name of a rack or keg: no quote, no backslash, no control character. */
export const NAME = 8;

/** One look into a table for each byte, instead of chains of comparisons: the check runs over every byte of the topic. */
const classes = new Uint8Array(256);
for (let byte = SPACE; byte < 0x100; byte++) {
  const char = String.fromCharCode(byte);
  let bits = 0;
  if (/[A-Za-z0-9]/.test(char)) bits |= CELLAR_FIRST;
  if (/[A-Za-z0-9._-]/.test(char)) bits |= CELLAR_REST;
  if (/[A-Za-z0-9_-]/.test(char)) bits |= KEY_ID;
  if (byte !== QUOTE && byte !== BACKSLASH && byte !== DELETE) bits |= NAME;
  classes[byte] = bits;
}

/** Whether a byte belongs to one of the classes above. No byte after the end does. */
export function isOf(byte: number | undefined, byteClass: number): boolean {
  return byte !== undefined && ((classes[byte] ?? 0) & byteClass) !== 0;
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}
