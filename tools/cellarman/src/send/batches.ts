import { MOST_BYTES } from './file-reading.ts';
import type { FileReading } from './file-reading.ts';

const MOST_READINGS = 1_000;

/** Groups readings so that a batch is neither long nor large, in the order of the file. */
export async function* batchesOf(
  readings: AsyncIterable<FileReading>,
): AsyncGenerator<FileReading[], void, undefined> {
  let batch: FileReading[] = [];
  let bytes = 0;
  for await (const reading of readings) {
    if (batch.length === MOST_READINGS || (batch.length > 0 && bytes + reading.json.length > MOST_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(reading);
    bytes += reading.json.length + 1;
  }
  if (batch.length > 0) yield batch;
}
