import { NAME_MAX_CODE_POINTS } from '@cellarman/reading';
import { COMMA, QUOTE, SPACE } from '@cellarman/reading/json-bytes';
import { EQUALS, LINE_FEED, MEASUREMENT_END, NAME_END, stringEnd, tokenEnd } from './scan-token.ts';
import type { Token } from './scan-token.ts';

/** The first of these tags that a line has is its rack. The others become part of the keg. */
export const RACK_TAGS = ['rack', 'host', 'device', 'entity_id'] as const;
const RACK_TAG_BYTES = RACK_TAGS.map((name) => Buffer.from(name));

/** In UTF-8. */
export const MAX_NAME_BYTES = NAME_MAX_CODE_POINTS * 4;
/** Few enough to sort in one turn of the event loop. */
const MAX_TAGS = 64;
const CARRIAGE_RETURN = 0x0d;

export interface Pair {
  key: Token;
  value: Token;
}

/** One line: where its parts stand in the body. */
export interface ParsedLine {
  measurement: Token;
  /** Undefined when the line has none of `RACK_TAGS`. */
  rack: Token | undefined;
  /** The other tags, by key. */
  tags: Pair[];
  fields: Pair[];
  timestamp: Token;
  /** Position of the line feed, or the end of the body. */
  end: number;
}

/** The line is not line protocol. An object and no error: the stack trace would take longer than parsing. */
export interface LineProblem {
  problem: string;
  /** Where parsing stopped. */
  position: number;
}

/** Parses the line that begins at `start`. It may end behind its line feed where a string contains it. */
export function parseLine(bytes: Buffer, start: number, end: number): ParsedLine | LineProblem {
  const measurement = { start, end: tokenEnd(bytes, start, end, MEASUREMENT_END) };
  if (measurement.end === start) return { problem: 'The line has no measurement', position: start };
  const tags: Pair[] = [];
  let position = measurement.end;
  while (position < end && bytes[position] === COMMA) {
    if (tags.length === MAX_TAGS) return { problem: `A line must have at most ${MAX_TAGS} tags`, position };
    const tag = parsePair(bytes, position + 1, end);
    const { value } = tag;
    if (value.end <= value.start || bytes[value.end] === EQUALS) return { problem: NOT_A_TAG, position };
    tags.push(tag);
    position = value.end;
  }
  if (!sortTags(bytes, tags)) return { problem: 'The line has a tag twice', position };

  const fields: Pair[] = [];
  position = skipSpaces(bytes, position, end);
  do {
    const field = parseField(bytes, fields.length === 0 ? position : position + 1, end);
    if ('problem' in field) return field;
    fields.push(field);
    position = field.value.end;
  } while (position < end && bytes[position] === COMMA);
  if (position < end && !isSpace(bytes[position]) && bytes[position] !== LINE_FEED) {
    return { problem: NOT_A_FIELD, position };
  }

  const first = skipSpaces(bytes, position, end);
  const timestamp = { start: first, end: tokenEnd(bytes, first, end, NAME_END) };
  position = skipSpaces(bytes, timestamp.end, end);
  if (timestamp.end > first && bytes[timestamp.end - 1] === CARRIAGE_RETURN) timestamp.end--;
  if (position < end && bytes[position] !== LINE_FEED) {
    return { problem: 'The line goes on after its timestamp', position };
  }
  return { measurement, rack: takeRack(bytes, tags), tags, fields, timestamp, end: position };
}

const NOT_A_TAG = 'A tag must be key=value, with escaped special characters';
const NOT_A_FIELD = 'A field must be key=value, with escaped special characters';

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === CARRIAGE_RETURN;
}

function skipSpaces(bytes: Buffer, start: number, end: number): number {
  let position = start;
  while (position < end && isSpace(bytes[position])) position++;
  return position;
}

/** The value ends before it begins when there is none. */
function parsePair(bytes: Buffer, start: number, end: number): Pair {
  const key = { start, end: tokenEnd(bytes, start, end, NAME_END) };
  const value = { start: key.end + 1, end: key.end };
  const hasValue = key.end > start && key.end < end && bytes[key.end] === EQUALS;
  if (hasValue) value.end = tokenEnd(bytes, value.start, end, NAME_END);
  return { key, value };
}

function parseField(bytes: Buffer, start: number, end: number): Pair | LineProblem {
  const field = parsePair(bytes, start, end);
  const { value } = field;
  if (value.end < value.start) return { problem: NOT_A_FIELD, position: value.end };
  if (value.start < end && bytes[value.start] === QUOTE) {
    value.end = stringEnd(bytes, value.start, end);
    if (value.end < 0) return { problem: 'A string has no closing quote', position: value.start };
  }
  return field;
}

/**
 * A series is the same in whatever order a client writes its tags. An escape is written in one way only, so escaped bytes
 * are compared. Returns false for a tag that is there twice.
 */
function sortTags(bytes: Buffer, tags: Pair[]): boolean {
  const compare = (a: Pair, b: Pair) => compareTokens(bytes, a.key, b.key);
  const isSorted = () => tags.every((tag, n) => n === 0 || compare(tags[n - 1] as Pair, tag) < 0);
  if (isSorted()) return true;
  tags.sort(compare);
  return isSorted();
}

function compareTokens(bytes: Buffer, a: Token, b: Token): number {
  const length = Math.min(a.end - a.start, b.end - b.start);
  for (let n = 0; n < length; n++) {
    const difference = (bytes[a.start + n] as number) - (bytes[b.start + n] as number);
    if (difference !== 0) return difference;
  }
  return a.end - a.start - (b.end - b.start);
}

/** Removes the tag that names the rack. */
function takeRack(bytes: Buffer, tags: Pair[]): Token | undefined {
  for (const name of RACK_TAG_BYTES) {
    const index = tags.findIndex(({ key }) => isSame(bytes, key, name));
    if (index >= 0) return tags.splice(index, 1)[0]?.value;
  }
  return undefined;
}

function isSame(bytes: Buffer, { start, end }: Token, name: Buffer): boolean {
  if (end - start !== name.length) return false;
  for (let n = 0; n < name.length; n++) if (bytes[start + n] !== name[n]) return false;
  return true;
}
