import { BatchRejection } from '../batch/batch-rejection.ts';
import type { BatchReader, ReadingRejection } from '../batch/scan/batch-reader.ts';
import { createScanParts, NO_TIMESTAMP, rejectReading } from '../batch/scan/scan-parts.ts';
import type { KegRule } from './keg-rule.ts';
import { parseLine } from './parse-line.ts';
import type { Field, ParsedLine } from './parse-line.ts';
import { toJsonNumber } from './to-json-number.ts';
import { toTimestamp } from './to-timestamp.ts';

/** Parsing this much takes less time than a slice of `scanBatch`. */
const MAX_LINE_BYTES = 65_536;
const LINE_FEED = 0x0a;
const SPACE = 0x20;
const COMMENT = 0x23;

/** The first of these tags that a line has is its rack. The others become part of the keg. */
export const RACK_TAGS = ['rack', 'host', 'device', 'entity_id'] as const;
const NOT_A_RACK = `"rack" is missing: the line has none of the tags ${RACK_TAGS.join(', ')}, and the API key is not restricted to one rack`;
const NOT_A_TIME = '"timestamp" must be an integer since 1970 in the precision of the request';
const BOOLEAN = /^(t|f|true|false)$/i;

export interface LineProtocolOptions {
  cellar: string;
  /** Of lines without a tag for it. */
  rack: string | null;
  kegRule: KegRule;
  fractionDigits: number;
}

/** What the fields of a line share, and the next of them. */
interface OpenLine {
  start: number;
  rack: string;
  /** What is between the names of the fields in the keg. */
  keg: string[];
  timestamp: string;
  fields: Field[];
  next: number;
}

/** InfluxDB line protocol: one reading per field. Each byte of the body is a character until the reading is scanned. */
export function readLineProtocol(body: Buffer, options: LineProtocolOptions): BatchReader {
  const parts = createScanParts(options.cellar, 'latin1');
  const defaultRack = options.rack === null ? undefined : Buffer.from(options.rack).toString('latin1');
  let position = 0;
  let lines = 0;
  let line: OpenLine | undefined;
  /** Lines of one interval share it. */
  let time: { integer: string; text: string | undefined } = { integer: '', text: undefined };

  /** Moves to the next line. Returns false at the end of the body. */
  function findLine(): boolean {
    const from = position;
    while (position < body.length) {
      const byte = body[position] as number;
      if (byte === COMMENT) position = lineFeedFrom(position);
      else if (byte > SPACE) return true;
      else position++;
      if (position - from > MAX_LINE_BYTES) {
        const text = `A batch must have at most ${MAX_LINE_BYTES} bytes of whitespace and comments in a row`;
        throw new BatchRejection('invalid_batch', text);
      }
    }
    return false;
  }

  function lineFeedFrom(at: number): number {
    const lineFeed = body.indexOf(LINE_FEED, at);
    return lineFeed < 0 ? body.length : lineFeed;
  }

  /** Opens the line at `position` and moves behind it. Returns why it is rejected. */
  function openLine(): ReadingRejection | undefined {
    lines++;
    const start = position;
    const limit = Math.min(start + MAX_LINE_BYTES, body.length);
    position = lineFeedFrom(start);
    let parsed = parseLine(body.toString('latin1', start, Math.min(position, limit)));
    if ('isOpenString' in parsed) {
      // The line feed is part of the string.
      parsed = parseLine(body.toString('latin1', start, limit));
      position = 'problem' in parsed ? lineFeedFrom(start + parsed.position) : start + parsed.end;
    }
    if (position > limit || (position === limit && limit < body.length && body[limit] !== LINE_FEED)) {
      position = lineFeedFrom(limit);
      const error = `A line must have at most ${MAX_LINE_BYTES} bytes`;
      return { ok: false, code: 'payload_too_large', error };
    }
    const problem = 'problem' in parsed ? parsed.problem : shareParts(parsed, start);
    return problem === undefined ? undefined : rejectReading(problem);
  }

  function shareParts({ measurement, tags, fields, timestamp }: ParsedLine, start: number) {
    const rackTag = RACK_TAGS.find((name) => tags.has(name));
    const rack = rackTag === undefined ? defaultRack : tags.get(rackTag);
    if (rack === undefined) return NOT_A_RACK;
    if (timestamp === '') return NO_TIMESTAMP;
    if (time.integer !== timestamp) {
      time = { integer: timestamp, text: toTimestamp(timestamp, options.fractionDigits) };
    }
    if (time.text === undefined) return NOT_A_TIME;
    const keg = options.kegRule(measurement, tags, rackTag);
    line = { start, rack, keg, timestamp: time.text, fields, next: 0 };
    return undefined;
  }

  return {
    bytes: parts.bytes,
    get position() {
      return line === undefined ? position : line.start + (line.fields[line.next] as Field).start;
    },
    get line() {
      return lines - 1;
    },
    next() {
      if (line === undefined) {
        if (!findLine()) return undefined;
        const rejection = openLine();
        if (rejection !== undefined) return rejection;
      }
      const { rack, keg, timestamp, fields, next } = line as unknown as OpenLine;
      const { name, value } = fields[next] as Field;
      if (next + 1 === fields.length) line = undefined;
      else (line as unknown as OpenLine).next++;
      const number = toJsonNumber(value);
      if (number === undefined) return rejectReading(notANumber(value));
      return parts.scan(rack, keg, name, number, timestamp);
    },
  };
}

function notANumber(value: string): string {
  if (value.startsWith('"')) return '"value" must be a number, not a string';
  return BOOLEAN.test(value) ? '"value" must be a number, not a boolean' : '"value" must be a number';
}
