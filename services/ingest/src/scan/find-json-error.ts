import { END, byteAt, errorPosition, isError, skipWhitespace } from './scan-position.ts';
import type { MemberPosition } from './skip-value.ts';
import { skipValue } from './skip-value.ts';

/**
 * Returns why the bytes are not one JSON text in UTF-8 (RFC 8259), for a person; undefined if they are. Only rejected
 * bodies come here, so that the path of a good reading stays short.
 */
export function findJsonError(bytes: Buffer, start: number, end: number): string | undefined {
  const member: MemberPosition = { keyStart: -1, keyEnd: -1 };
  const first = skipWhitespace(bytes, start, end);
  if (first === end) return 'it is empty';
  let position = skipValue(bytes, first, end, member);
  if (!isError(position)) {
    const rest = skipWhitespace(bytes, position, end);
    if (rest === end) return undefined;
    return `${describeByte(bytes, rest, end)} at byte ${rest - start}, after its end`;
  }

  position = errorPosition(position);
  const what = `${describeByte(bytes, position, end)} at byte ${position - start}`;
  return member.keyStart < 0 ? what : `${what}, in ${quoteKey(bytes, member)}`;
}

/** What stands at the error. */
export function describeByte(bytes: Buffer, position: number, end: number): string {
  const byte = byteAt(bytes, position, end);
  if (byte === END) return 'unexpected end';
  if (byte === 0xef && bytes[position + 1] === 0xbb && bytes[position + 2] === 0xbf) return 'byte order mark';
  if (byte >= 0x80) return 'invalid UTF-8 or misplaced character';
  if (byte < 0x20 || byte === 0x7f) return 'control character';
  if (byte === 0x5c) return 'invalid escape';
  return `unexpected ${JSON.stringify(String.fromCharCode(byte))}`;
}

function quoteKey(bytes: Buffer, { keyStart, keyEnd }: MemberPosition): string {
  return quoteName(JSON.parse(bytes.toString('utf8', keyStart, keyEnd)) as string);
}

/** A name out of a request, safe to quote in a response: with escapes for what is no text, and never long. */
export function quoteName(name: string): string {
  const shown = Array.from(name.slice(0, 128)).slice(0, 64).join('');
  return JSON.stringify(shown === name ? name : `${shown}…`);
}
