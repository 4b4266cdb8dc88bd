import { setTimeout as sleep } from 'node:timers/promises';
import { MOST_BYTES } from './file-reading.ts';
import type { FileReading } from './file-reading.ts';

const MOST_READINGS = 1_000;
/** A sensor that is piped in has a reading now and then: none waits longer than this for its batch to be full. */
const LONGEST_WAIT_MS = 200;

/** Groups readings so that a batch is neither long nor large nor late, in the order of the file. */
export async function* batchesOf(
  readings: AsyncIterable<FileReading>,
): AsyncGenerator<FileReading[], void, undefined> {
  const source = readings[Symbol.asyncIterator]();
  let batch: FileReading[] = [];
  let bytes = 0;
  let due: Promise<undefined> | undefined;
  const take = (): FileReading[] => {
    const whole = batch;
    batch = [];
    bytes = 0;
    due = undefined;
    return whole;
  };

  try {
    let next = source.next();
    for (;;) {
      const result = await (due === undefined ? next : Promise.race([next, due]));
      if (result === undefined) {
        // It may reject before the consumer requests the next batch.
        next.catch(() => undefined);
        yield take();
        continue;
      }
      if (result.done === true) break;
      const { json } = result.value;
      if (batch.length === MOST_READINGS || (batch.length > 0 && bytes + json.length > MOST_BYTES))
        yield take();
      due ??= sleep(LONGEST_WAIT_MS, undefined, { ref: false });
      batch.push(result.value);
      bytes += json.length + 1;
      next = source.next();
    }
    if (batch.length > 0) yield take();
  } finally {
    // Not awaited: a reading that has not come yet would have to come first.
    source.return?.(undefined).catch(() => undefined);
  }
}
