import { READING_FIELDS } from './fields.ts';
import type { ReadingField } from './fields.ts';

/**
 * Where the values of one reading stand in the bytes that the client sent, by the index of the field in `READING_FIELDS`.
 * `ends` is behind the last byte, and strings include their quotes: a line is made by copying them, so that nothing is
 * written differently from how the client wrote it.
 */
export interface FieldRanges {
  /** Position of the opening brace. */
  objectStart: number;
  /**
   * Where the last field ends, if the fields stand in the order of a line without a byte more than it has between them: then
   * they are copied in one piece. Otherwise negative.
   */
  canonicalEnd: number;
  /** Bit `1 << index` is set for each field that the reading has. The ranges of others are undefined. */
  present: number;
  starts: number[];
  ends: number[];
}

/**
 * Writes the value of a message: one line of JSON, whose fields are the bytes of the request.
 *
 * @param receivedAt ISO 8601 with milliseconds
 */
export function writeLine(body: Buffer, ranges: FieldRanges, receivedAt: string, keyId: string): Buffer {
  const tail = lineTail(receivedAt, keyId);
  const line = Buffer.allocUnsafe(fieldsLength(ranges) + tail.length);
  line.write(tail, writeFields(line, 0, body, ranges), 'latin1');
  return line;
}

/** The end of a line, which all readings of a batch share. Both are ASCII without quotes or backslashes. */
export function lineTail(receivedAt: string, keyId: string): string {
  return `,"received_at":"${receivedAt}","key_id":"${keyId}"}`;
}

/** Returns how many bytes `writeFields` writes. */
export function fieldsLength({ objectStart, canonicalEnd, present, starts, ends }: FieldRanges): number {
  if (canonicalEnd >= 0) return canonicalEnd - objectStart;
  let length = 0;
  for (let index = 0; index < READING_FIELDS.length; index++) {
    if ((present & (1 << index)) === 0) continue;
    length += prefixLength(index) + (ends[index] as number) - (starts[index] as number);
  }
  return length;
}

/** Writes the fields of the client to `line` from `start`. Returns the position behind them. */
export function writeFields(line: Buffer, start: number, body: Buffer, ranges: FieldRanges): number {
  const { objectStart, canonicalEnd, present, starts, ends } = ranges;
  if (canonicalEnd >= 0) return start + body.copy(line, start, objectStart, canonicalEnd);
  let end = start;
  for (let index = 0; index < READING_FIELDS.length; index++) {
    if ((present & (1 << index)) === 0) continue;
    end += (PREFIXES[index] as Buffer).copy(line, end);
    end += body.copy(line, end, starts[index], ends[index]);
  }
  return end;
}

const PREFIXES = READING_FIELDS.map(({ prefix }) => Buffer.from(prefix));
const PREFIX_LENGTHS = PREFIXES.map(({ length }) => length);

function prefixLength(index: number): number {
  return PREFIX_LENGTHS[index] as number;
}

/** A reading as canonical JSON, from the JSON of each value: a number keeps its digits. */
export function readingJson(values: Readonly<Partial<Record<ReadingField, string>>>): string {
  const members = READING_FIELDS.flatMap(({ name }) => {
    const value = values[name];
    return value === undefined ? [] : [`"${name}":${value}`];
  });
  return `{${members.join()}}`;
}
