/** Bytes of JSON by name, and which bytes may stand where. */
const QUOTE = 0x22;
export const MINUS = 0x2d;
export const DOT = 0x2e;
export const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;

export const CELLAR_FIRST = 1;
export const CELLAR_REST = 2;
export const KEY_ID = 4;
/** Stands for itself in the name of a rack or keg: no quote, no backslash, no control character. */
export const NAME = 8;

/** One look-up per byte instead of chains of comparisons: the check runs over every byte of the topic. */
const classes = new Uint8Array(256);
for (let byte = 0x20; byte < 0x100; byte++) {
  const char = String.fromCharCode(byte);
  let bits = 0;
  if (/[A-Za-z0-9]/.test(char)) bits |= CELLAR_FIRST;
  if (/[A-Za-z0-9._-]/.test(char)) bits |= CELLAR_REST;
  if (/[A-Za-z0-9_-]/.test(char)) bits |= KEY_ID;
  if (byte !== QUOTE && byte !== BACKSLASH && byte !== 0x7f) bits |= NAME;
  classes[byte] = bits;
}

/** Whether a byte belongs to one of the classes above; nothing belongs to any behind the end. */
export function isOf(byte: number | undefined, byteClass: number): boolean {
  return byte !== undefined && ((classes[byte] ?? 0) & byteClass) !== 0;
}

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}
