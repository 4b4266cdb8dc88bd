import { TOPIC_FIELDS } from './fields.ts';
import type { Field } from './fields.ts';
import { numberProblem } from './number-problem.ts';
import { shorten } from './shorten.ts';
import { storableEnd, YEARS } from './timestamp.ts';
import { tokenizeObject } from './tokenize-object.ts';

/** Either the reading as one canonical line, or why it is not a reading; the reason is for a person. */
export type Decoded = { line: Buffer } | { reason: string };

/**
 * ClickHouse reads up to 316 characters of a number at a time. When it does not parse in parallel, a longer one that stands
 * across the end of a buffer is an error to it: measured with 26.7 and `max_parsing_threads=1`.
 */
const MAX_NUMBER_LENGTH = 300;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a message that may not pass through as it is, strictly by the contract of the topic, and writes it again as
 * ingest would. Fields that the contract does not name are left out: a later release may add them to version 1. The
 * literal of `value` stays as it was sent; only a negative zero loses its sign, and one of hundreds of digits is
 * shortened to those that represent the same double.
 */
export const decodeLine = createLineDecoder(TOPIC_FIELDS);

export function createLineDecoder(fields: readonly Field[]): (bytes: Uint8Array) => Decoded {
  return (bytes) => {
    if (bytes.length === 0) return { reason: 'the message is empty' };
    let text;
    try {
      text = utf8.decode(bytes);
    } catch {
      return { reason: 'not valid UTF-8' };
    }
    const object = tokenizeObject(text);
    return 'reason' in object ? object : writeLine(object.fields, fields);
  };
}

function writeLine(tokens: ReadonlyMap<string, string>, fields: readonly Field[]): Decoded {
  const parts: string[] = [];
  for (const field of fields) {
    const token = tokens.get(field.name);
    if (token === undefined) {
      if (field.isRequired) return { reason: `the field ${field.name} is missing` };
      continue;
    }
    const part = readValue(field, token);
    if ('reason' in part) return { reason: `${field.name}: ${part.reason}` };
    parts.push(`"${field.name}":${part.json}`);
  }
  return { line: Buffer.from(`{${parts.join()}}`) };
}

type Part = { json: string } | { reason: string };

function readValue(field: Field, token: string): Part {
  switch (field.kind) {
    case 'number':
      return readNumber(token);
    case 'timestamp':
    case 'received_at':
      return readTime(field, token);
    case 'cellar':
    case 'name':
    case 'key_id':
      return readText(field, token);
  }
}

function readNumber(literal: string): Part {
  if (!/^[-\d]/.test(literal)) return { reason: `must be a number, not ${shorten(literal)}` };
  const problem = numberProblem(literal);
  if (problem !== undefined) return { reason: `${shorten(literal)} ${problem}` };
  // One zero: ClickHouse keeps the sign, and the two would look different in reports.
  const stored = Number(literal) === 0 && literal.startsWith('-') ? literal.slice(1) : literal;
  return { json: stored.length > MAX_NUMBER_LENGTH ? JSON.stringify(Number(stored)) : stored };
}

function readText({ pattern }: Field, token: string): Part {
  if (!token.startsWith('"')) return { reason: `must be a string, not ${shorten(token)}` };
  const value = JSON.parse(token) as string;
  if (!value.isWellFormed()) return { reason: 'has half of a surrogate pair' };
  if (pattern?.test(value) !== true) return { reason: `does not match the schema: ${shorten(token)}` };
  return { json: JSON.stringify(value) };
}

function readTime(field: Field, token: string): Part {
  const part = readText(field, token);
  if ('reason' in part) return part;
  if (storableEnd(Buffer.from(part.json), 1, 0, 9) >= 0) return part;
  return { reason: `cannot be stored (years ${YEARS.first} to ${YEARS.last}): ${shorten(token)}` };
}
