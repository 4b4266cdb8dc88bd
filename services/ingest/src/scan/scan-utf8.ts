import { byteAt } from './scan-position.ts';

/**
 * The length of the UTF-8 sequence that begins at `position`, or 0 if it is not one: a stray or missing continuation
 * byte, an overlong form, a surrogate, or more than U+10FFFF (The Unicode Standard, table 3-7).
 */
export function utf8SequenceLength(bytes: Buffer, position: number, end: number): number {
  const first = byteAt(bytes, position, end);
  const second = byteAt(bytes, position + 1, end);
  if (first < 0x80) return first < 0 ? 0 : 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return isContinuation(second) ? 2 : 0;

  const third = byteAt(bytes, position + 2, end);
  if (first < 0xf0) {
    const overlong = first === 0xe0 && second < 0xa0;
    const surrogate = first === 0xed && second > 0x9f;
    return isContinuation(second) && isContinuation(third) && !overlong && !surrogate ? 3 : 0;
  }

  if (first > 0xf4) return 0;
  const overlong = first === 0xf0 && second < 0x90;
  const beyondUnicode = first === 0xf4 && second > 0x8f;
  const whole =
    isContinuation(second) && isContinuation(third) && isContinuation(byteAt(bytes, position + 3, end));
  return whole && !overlong && !beyondUnicode ? 4 : 0;
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte <= 0xbf;
}
