import { NAME_MAX_CODE_POINTS } from '@cellarman/reading';
import { COMMA, DOT, QUOTE, SPACE } from '@cellarman/reading/json-bytes';
import { BatchRejection } from '../batch/batch-rejection.ts';
import type { BatchReader, ReadingRejection } from '../batch/scan/batch-reader.ts';
import { scanReadingAt } from '../scan/scan-reading.ts';
import type { ScannedReading } from '../scan/scan-state.ts';
import { createScanState } from '../scan/scan-state.ts';
import { MAX_NAME_BYTES, parseLine, RACK_TAGS } from './parse-line.ts';
import type { Pair, ParsedLine } from './parse-line.ts';
import { EQUALS, ESCAPED_BYTES, LINE_FEED, writeBytes, writeToken } from './scan-token.ts';
import type { Token } from './scan-token.ts';
import { toTimestamp } from './to-timestamp.ts';
import { MAX_NUMBER_BYTES, writeNumber } from './write-number.ts';

/** Parsing this much takes less time than a slice of `scanBatch`. */
const MAX_LINE_BYTES = 65_536;
const COMMENT = 0x23;
/** A rack, the two parts of a keg, and a number: no more than this of a reading comes from the body. */
const MAX_PARTS_BYTES = 3 * MAX_NAME_BYTES + MAX_NUMBER_BYTES;
/** The rest of a reading, and the rack of the key. */
const MAX_REST_BYTES = 4_096;
const NOT_A_RACK = `"rack" is missing: the line has none of the tags ${RACK_TAGS.join(', ')}, and the API key is not restricted to one rack`;
const EMPTY = Buffer.alloc(0);
const KEG = Buffer.from(',"keg":"');
const VALUE = Buffer.from('","value":');
const NOT_A_TIME = '"timestamp" must be an integer since 1970 in the precision of the request';

export interface LineProtocolOptions {
  cellar: string;
  /** Of lines without a tag for it. */
  rack: string | null;
  fractionDigits: number;
}

/**
 * InfluxDB line protocol: one reading per field. Each is written as JSON and passes the scanner of all readings, so that the
 * same rules hold for it.
 */
export function readLineProtocol(body: Buffer, options: LineProtocolOptions): BatchReader {
  const scan = createScanState();
  const scratchBytes = Math.min(MAX_PARTS_BYTES, body.length) * ESCAPED_BYTES + MAX_REST_BYTES;
  const json = Buffer.allocUnsafe(scratchBytes);
  /** `,key=value,key=value","value":` */
  const tags = Buffer.allocUnsafe(scratchBytes);
  const start = json.write(`{"cellar":"${options.cellar}","rack":`, 'latin1');
  let position = 0;
  let lines = 0;
  let line: ParsedLine | undefined;
  /** What is the same for all fields of a line. */
  let head = 0;
  let tagsEnd = 0;
  let tail = EMPTY;
  let timestamp = { integer: '', tail };
  let field = 0;

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

  /** Parses the line at `position` and writes what its fields share. Returns why it is rejected. */
  function openLine(): ReadingRejection | undefined {
    lines++;
    const limit = Math.min(body.length, position + MAX_LINE_BYTES);
    const parsed = parseLine(body, position, limit);
    const end = 'problem' in parsed ? lineFeedFrom(parsed.position) : parsed.end;
    const isLong = end > limit || (end === limit && limit < body.length && body[limit] !== LINE_FEED);
    if (isLong) return skipLongLine();
    position = end;
    const problem = 'problem' in parsed ? parsed.problem : writeShared(parsed);
    if (problem !== undefined) return reject(problem);
    line = parsed as ParsedLine;
    field = 0;
    return undefined;
  }

  function skipLongLine(): ReadingRejection {
    position = lineFeedFrom(position + MAX_LINE_BYTES);
    return {
      ok: false,
      code: 'payload_too_large',
      error: `A line must have at most ${MAX_LINE_BYTES} bytes`,
    };
  }

  function writeShared(parsed: ParsedLine): string | undefined {
    const { rack, measurement } = parsed;
    if (rack === undefined && options.rack === null) return NOT_A_RACK;
    if (rack !== undefined && lengthOf(rack) > MAX_NAME_BYTES) return tooLong('rack');
    const tagBytes = parsed.tags.reduce((sum, { key, value }) => sum + lengthOf(key) + lengthOf(value), 0);
    if (lengthOf(measurement) + tagBytes > MAX_NAME_BYTES) return tooLong('keg');

    head = start;
    if (rack === undefined) {
      head += json.write(JSON.stringify(options.rack), head);
    } else {
      json[head++] = QUOTE;
      head = writeToken(json, head, body, rack);
      json[head++] = QUOTE;
    }
    head = writeBytes(json, head, KEG, 0, KEG.length);
    head = writeToken(json, head, body, measurement);
    json[head++] = DOT;
    writeTags(parsed.tags);

    const integer = body.toString('latin1', parsed.timestamp.start, parsed.timestamp.end);
    if (integer === '')
      return '"timestamp" is missing: a reading without one would be stored again by each retry';
    // Lines of one interval share it.
    if (timestamp.integer !== integer) {
      const text = toTimestamp(integer, options.fractionDigits);
      if (text === undefined) return NOT_A_TIME;
      timestamp = { integer, tail: Buffer.from(`,"timestamp":"${text}"}`) };
    }
    tail = timestamp.tail;
    return undefined;
  }

  function writeTags(list: Pair[]): void {
    tagsEnd = 0;
    for (const { key, value } of list) {
      tags[tagsEnd++] = COMMA;
      tagsEnd = writeToken(tags, tagsEnd, body, key);
      tags[tagsEnd++] = EQUALS;
      tagsEnd = writeToken(tags, tagsEnd, body, value);
    }
    tagsEnd = writeBytes(tags, tagsEnd, VALUE, 0, VALUE.length);
  }

  function readField({ key, value }: Pair): ScannedReading | ReadingRejection {
    if (lengthOf(key) > MAX_NAME_BYTES) return reject(tooLong('keg'));
    let end = writeToken(json, head, body, key);
    end = writeBytes(json, end, tags, 0, tagsEnd);
    const isShort = lengthOf(value) <= MAX_NUMBER_BYTES;
    end = isShort ? writeNumber(json, end, body, value.start, value.end) : -1;
    if (end < 0) return reject(notANumber(body, value));
    end = writeBytes(json, end, tail, 0, tail.length);
    const reading = scanReadingAt(json, 0, end, scan);
    // It is JSON but for the bytes of the names.
    return reading.ok || reading.code !== 'invalid_json' ? reading : reject('The line is not valid UTF-8');
  }

  return {
    bytes: json,
    get position() {
      return line?.fields[field]?.key.start ?? position;
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
      const { fields } = line as unknown as ParsedLine;
      const next = fields[field++] as Pair;
      if (field === fields.length) line = undefined;
      return readField(next);
    },
  };
}

function reject(error: string): ReadingRejection {
  return { ok: false, code: 'invalid_reading', error };
}

function lengthOf({ start, end }: Token): number {
  return end - start;
}

function tooLong(field: 'rack' | 'keg'): string {
  return `"${field}" must have 1 to ${NAME_MAX_CODE_POINTS} characters`;
}

const BOOLEAN = /^(t|f|true|false)$/i;

function notANumber(body: Buffer, { start, end }: Token): string {
  if (body[start] === QUOTE) return '"value" must be a number, not a string';
  const isBoolean = end - start <= 5 && BOOLEAN.test(body.toString('latin1', start, end));
  return isBoolean ? '"value" must be a number, not a boolean' : '"value" must be a number';
}
