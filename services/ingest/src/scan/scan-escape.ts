import { byteAt } from './scan-position.ts';

const NO_ESCAPE = -1;

/**
 * The UTF-16 code unit that the escape at `position` (its backslash) stands for, or -1 if JSON has no such escape.
 * It is six bytes long if its second byte is `u`, otherwise two.
 */
export function escapedCodeUnit(bytes: Buffer, position: number, end: number): number {
  switch (byteAt(bytes, position + 1, end)) {
    case 0x22: // "
      return 0x22;
    case 0x5c: // \
      return 0x5c;
    case 0x2f: // /
      return 0x2f;
    case 0x62: // b
      return 0x08;
    case 0x66: // f
      return 0x0c;
    case 0x6e: // n
      return 0x0a;
    case 0x72: // r
      return 0x0d;
    case 0x74: // t
      return 0x09;
    case 0x75: // u
      return fourHexDigits(bytes, position + 2, end);
    default:
      return NO_ESCAPE;
  }
}

export function escapeLength(bytes: Buffer, position: number): number {
  return bytes[position + 1] === 0x75 ? 6 : 2;
}

export function isHighSurrogate(codeUnit: number): boolean {
  return codeUnit >= 0xd800 && codeUnit <= 0xdbff;
}

export function isLowSurrogate(codeUnit: number): boolean {
  return codeUnit >= 0xdc00 && codeUnit <= 0xdfff;
}

function fourHexDigits(bytes: Buffer, start: number, end: number): number {
  let codeUnit = 0;
  for (let position = start; position < start + 4; position++) {
    const digit = hexDigit(byteAt(bytes, position, end));
    if (digit < 0) return NO_ESCAPE;
    codeUnit = codeUnit * 16 + digit;
  }
  return codeUnit;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}
