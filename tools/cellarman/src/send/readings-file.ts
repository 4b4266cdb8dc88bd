import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { EXIT, Failure } from '../failure.ts';
import { csvReadings } from './csv-readings.ts';
import type { FileReading } from './file-reading.ts';
import type { Format } from './send-options.ts';
import { ndjsonReadings } from './ndjson-readings.ts';

export interface ReadingsFile {
  /** `-`: standard input. */
  path: string;
  /** Left out: by the end of the name. */
  format: Format | undefined;
  /** For the rows of a CSV file that has no column `cellar`. */
  cellar: string | undefined;
}

/** The readings of a file, one after the other, in constant memory. */
export function readReadings(
  { path, format, cellar }: ReadingsFile,
  stop: AbortSignal,
): AsyncIterable<FileReading> {
  const chunks = bytesOf(path, stop);
  return (format ?? formatOf(path)) === 'csv' ? csvReadings(chunks, cellar) : ndjsonReadings(chunks);
}

/** `stop` ends it also while nothing comes from a pipe. */
async function* bytesOf(path: string, stop: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
  try {
    const source = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: 262_144 });
    yield* addAbortSignal(stop, source);
  } catch (cause) {
    throw new Failure(EXIT.usage, `cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
}

function formatOf(path: string): Format {
  if (/\.csv$/i.test(path)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(path)) return 'ndjson';
  throw new Failure(EXIT.usage, `specify --format csv or --format ndjson: the format of ${path} is unknown`);
}
