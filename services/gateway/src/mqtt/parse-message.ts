import { tokenizeObject } from '@cellarman/reading';
import { toReading } from '../to-reading.ts';
import type { MappedReading } from '../to-reading.ts';
import { createMatchTopic } from './topic-template.ts';
import type { TopicFields } from './topic-template.ts';

/** The readings of a message, or why there are none. */
export type ParsedMessage = { readings: MappedReading[] } | { reason: string };

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Of JSON. The text becomes part of one, so nothing else may pass. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

interface ParseOptions {
  cellar: string;
  topics: readonly string[];
  valueField: string;
  timestampField: string;
}

/**
 * Returns a function that maps a topic and a payload to readings. A payload is a number, or JSON; a reading without timestamp
 * gets one from the spool.
 */
export function createParseMessage({ cellar, topics, valueField, timestampField }: ParseOptions) {
  const match = createMatchTopic(topics);

  return function parseMessage(topic: string, payload: Buffer): ParsedMessage {
    const fields = match(topic);
    if (fields === undefined) return { reason: 'the topic matches no template' };
    let text;
    try {
      text = utf8.decode(payload).trim();
    } catch {
      return { reason: 'the payload is not UTF-8' };
    }
    if (!text.startsWith('{')) {
      if (fields.keg === undefined)
        return { reason: 'the payload is not a JSON object, and the topic names no keg' };
      if (!NUMBER.test(text)) return { reason: 'the payload is neither a number nor a JSON object' };
      return parseAll([[fields.keg, text]], fields, undefined);
    }
    const object = tokenizeObject(text);
    if ('reason' in object) return object;
    const { fields: members } = object;
    const timestamp = members.get(timestampField);
    if (fields.keg !== undefined) {
      const value = members.get(valueField);
      if (value === undefined) return { reason: `the payload has no field ${JSON.stringify(valueField)}` };
      return parseAll([[fields.keg, value]], fields, timestamp);
    }
    const numbers = [...members].filter(([name, token]) => name !== timestampField && /^[-\d]/.test(token));
    if (numbers.length === 0) return { reason: 'the payload has no number' };
    return parseAll(numbers, fields, timestamp);
  };

  /** @param values JSON tokens, so that the digits of a number are checked as they were sent */
  function parseAll(
    values: readonly (readonly [string, string])[],
    { cellar: given = cellar, rack = '' }: TopicFields,
    timestampToken: string | undefined,
  ): ParsedMessage {
    const timestamp = timestampToken === undefined ? { timestamp: undefined } : timestampOf(timestampToken);
    if (timestamp === undefined)
      return { reason: 'the timestamp is neither ISO 8601 nor milliseconds since 1970' };
    const readings = [];
    for (const [keg, value] of values) {
      const reading = toReading({ cellar: given, rack, keg }, value, timestamp.timestamp);
      if ('reason' in reading) return reading;
      readings.push(reading);
    }
    return { readings };
  }
}

/** Keeps the digits of a timestamp that ingest takes as it is. Others are written in UTC with milliseconds. */
function timestampOf(token: string): { timestamp: string } | undefined {
  const given: unknown = JSON.parse(token);
  if (typeof given === 'string' && given.endsWith('Z') && ISO.test(given)) return { timestamp: token };
  const date =
    typeof given === 'number' || (typeof given === 'string' && ISO.test(given)) ? new Date(given) : undefined;
  return date === undefined || Number.isNaN(date.getTime())
    ? undefined
    : { timestamp: JSON.stringify(date.toISOString()) };
}
