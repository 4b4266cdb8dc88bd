import { BACKSLASH, COMMA, DELETE, QUOTE, SPACE } from '@cellarman/reading/json-bytes';

export const LINE_FEED = 0x0a;
export const EQUALS = 0x3d;

/** What ends a measurement, the key or value of a tag or field, and a number. A line feed ends all but strings. */
export const MEASUREMENT_END = tableOf(COMMA, SPACE, LINE_FEED);
export const NAME_END = tableOf(COMMA, SPACE, LINE_FEED, EQUALS);

function tableOf(...stops: number[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of stops) table[byte] = 1;
  return table;
}

/** Whether a backslash in front of the byte is an escape. Any other backslash is itself part of the name. */
function isEscapable(byte: number | undefined): boolean {
  return byte === COMMA || byte === SPACE || byte === EQUALS;
}

/** Returns where the token ends that begins at `start`. */
export function tokenEnd(bytes: Buffer, start: number, end: number, stops: Uint8Array): number {
  let position = start;
  while (position < end) {
    const byte = bytes[position] as number;
    if (stops[byte] === 1) break;
    position += byte === BACKSLASH && position + 1 < end && isEscapable(bytes[position + 1]) ? 2 : 1;
  }
  return position;
}

/** Returns the position behind the closing quote of the string that begins at `start`, or -1. */
export function stringEnd(bytes: Buffer, start: number, end: number): number {
  for (let position = start + 1; position < end; position++) {
    const byte = bytes[position];
    if (byte === QUOTE) return position + 1;
    if (byte === BACKSLASH) position++;
  }
  return -1;
}

export interface Token {
  start: number;
  end: number;
}

/** The most bytes that `writeToken` writes for each byte of a token: `\u001f`. */
export const ESCAPED_BYTES = 6;

/** Writes a token into a JSON string, without the escapes of line protocol. Returns the position behind it. */
export function writeToken(target: Buffer, at: number, bytes: Buffer, { start, end }: Token): number {
  let written = at;
  for (let position = start; position < end; position++) {
    let byte = bytes[position] as number;
    if (byte === BACKSLASH && position + 1 < end && isEscapable(bytes[position + 1])) {
      byte = bytes[++position] as number;
    }
    if (byte === QUOTE || byte === BACKSLASH) target[written++] = BACKSLASH;
    if (byte >= SPACE && byte !== DELETE) target[written++] = byte;
    else written += target.write(`\\u00${byte.toString(16).padStart(2, '0')}`, written, 'latin1');
  }
  return written;
}

/** Copies bytes. A loop: most are few, and a call into the engine costs as much as copying fifty. */
export function writeBytes(target: Buffer, at: number, bytes: Buffer, start: number, end: number): number {
  let written = at;
  for (let position = start; position < end; position++) target[written++] = bytes[position] as number;
  return written;
}
