import { createReadStream } from 'node:fs';
import { EXIT, Failure } from '../failure.ts';
import { csvReadings } from './csv-readings.ts';
import type { Format } from './send-options.ts';
import { ndjsonReadings } from './ndjson-readings.ts';

/** A reading as it will be sent, or why it is not. */
export interface FileReading {
  /** Where it stands in the file, from 1. */
  line: number;
  json: Buffer;
}

/** More than any server takes; what is longer is told and not held in memory. */
export const MOST_BYTES = 1_048_576;

export interface ReadingsFile {
  /** `-`: standard input. */
  path: string;
  /** Left out: by the end of the name. */
  format: Format | undefined;
  /** For the rows of a CSV file that has no column `cellar`. */
  cellar: string | undefined;
}

/** The readings of a file, one after the other, in constant memory. */
export function readReadings({ path, format, cellar }: ReadingsFile): AsyncIterable<FileReading> {
  const chunks = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: 262_144 });
  return (format ?? formatOf(path)) === 'csv' ? csvReadings(chunks, cellar) : ndjsonReadings(chunks);
}

function formatOf(path: string): Format {
  if (/\.csv$/i.test(path)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(path)) return 'ndjson';
  throw new Failure(EXIT.usage, `give --format csv or --format ndjson: the name ${path} does not tell`);
}
