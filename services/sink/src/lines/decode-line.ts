import { READINGS_MAX_BYTES, topicReadingSchema } from '@cellarman/contracts';
import { describeNumber } from './describe-number.ts';
import { shorten } from './shorten.ts';
import { timestampEnd, YEARS } from './timestamp.ts';
import { tokenizeFlatObject } from './tokenize-flat-object.ts';

/** Either the reading as one canonical line, or why it is none; the reason is for a person. */
export type Decoded = { line: Buffer } | { reason: string };

/** The contract is the source of the fields, their order and their patterns. */
const FIELDS = Object.entries(topicReadingSchema.properties).map(([name, schema]) => ({
  name,
  pattern: 'pattern' in schema ? new RegExp(String(schema.pattern), 'u') : undefined,
}));
const FIELD_NAMES: ReadonlySet<string> = new Set(FIELDS.map((field) => field.name));

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a message that may not be passed through as it is, strictly by the contract of the topic, and writes it again as
 * ingest would. The literal of `value` stays as it was sent; only a negative zero loses its sign, and one of hundreds of
 * digits is shortened to those that mean the same.
 */
export function decodeLine(bytes: Uint8Array): Decoded {
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
  const object = tokenizeFlatObject(text);
  if ('reason' in object) return object;
  for (const name of object.fields.keys()) {
    if (!FIELD_NAMES.has(name)) return { reason: `unknown field ${shorten(JSON.stringify(name))}` };
  }

  const parts: string[] = [];
  for (const { name, pattern } of FIELDS) {
    const token = object.fields.get(name);
    if (token === undefined) return { reason: `the field ${name} is missing` };
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
