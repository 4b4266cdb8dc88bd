import { READINGS_MAX_BYTES, topicReadingSchema } from '@cellarman/contracts';
import type { TObject } from '@sinclair/typebox';
import { describeNumber } from './describe-number.ts';
import { shorten } from './shorten.ts';
import { timestampEnd, YEARS } from './timestamp.ts';
import { tokenizeObject } from './tokenize-object.ts';

/** Either the reading as one canonical line, or why it is not a reading; the reason is for a person. */
export type Decoded = { line: Buffer } | { reason: string };

interface Field {
  name: string;
  isRequired: boolean;
  pattern: RegExp | undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a message that may not pass through as it is, strictly by the contract of the topic, and writes it again as
 * ingest would. Fields that the contract does not name are left out: a later release may add them to version 1. The
 * literal of `value` stays as it was sent; only a negative zero loses its sign, and one of hundreds of digits is
 * shortened to those that represent the same double.
 */
export const decodeLine = createLineDecoder(topicReadingSchema);

/** @param schema the source of the fields, their order and their patterns; another release has another one */
export function createLineDecoder(schema: TObject): (bytes: Uint8Array) => Decoded {
  const required = new Set(schema.required);
  const fields: Field[] = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    isRequired: required.has(name),
    pattern: 'pattern' in property ? new RegExp(String(property['pattern']), 'u') : undefined,
  }));
  return (bytes) => {
    if (bytes.length === 0) return { reason: 'the message is empty' };
    // Ingest bounds a body by its own configuration, and the topic bounds every message.
    if (bytes.length > READINGS_MAX_BYTES)
      return { reason: `${bytes.length} bytes are too many for one reading` };
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
  for (const { name, isRequired, pattern } of fields) {
    const token = tokens.get(name);
    if (token === undefined) {
      if (isRequired) return { reason: `the field ${name} is missing` };
      continue;
    }
    const part = pattern === undefined ? readNumber(token) : readText(name, token, pattern);
    if ('reason' in part) return { reason: `${name}: ${part.reason}` };
    parts.push(`"${name}":${part.json}`);
  }
  return { line: Buffer.from(`{${parts.join(',')}}`) };
}

type Part = { json: string } | { reason: string };

function readNumber(token: string): Part {
  if (!/^[-\d]/.test(token)) return { reason: `must be a number, not ${shorten(token)}` };
  return describeNumber(token);
}

function readText(name: string, token: string, pattern: RegExp): Part {
  if (!token.startsWith('"')) return { reason: `must be a string, not ${shorten(token)}` };
  const value = JSON.parse(token) as string;
  if (!value.isWellFormed()) return { reason: 'has half of a surrogate pair' };
  if (!pattern.test(value)) return { reason: `is not as the contract says: ${shorten(token)}` };
  if (name === 'timestamp' || name === 'received_at') {
    const end = timestampEnd(Buffer.from(value), 0, 0, 9);
    if (end !== value.length) {
      return {
        reason: `is no time that can be stored (years ${YEARS.first} to ${YEARS.last}): ${shorten(token)}`,
      };
    }
  }
  return { json: JSON.stringify(value) };
}
