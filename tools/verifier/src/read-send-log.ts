import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ReadingFields } from '@cellarman/verification';

export interface SentReading {
  reading: ReadingFields;
  /** True only after a 2xx. */
  acknowledged: boolean;
}

const OUTCOMES = new Set<unknown>(['acknowledged', 'rejected', 'unknown']);

/**
 * A send log is NDJSON: the five fields of a reading as they were sent, and `outcome`, one of `acknowledged`, `rejected`
 * and `unknown`. The simulator writes one with `--send-log`.
 *
 * A last line that was cut off, as by kill -9, is passed over.
 */
export async function* readSendLog(file: string): AsyncGenerator<SentReading, void, undefined> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  let broken: string | undefined;
  for await (const line of lines) {
    if (broken !== undefined)
      throw new Error(`${file} has a line that is not valid JSON: ${broken.slice(0, 200)}`);
    if (line === '') continue;
    let sent: { reading: ReadingFields; outcome: unknown };
    try {
      const { outcome, ...reading } = JSON.parse(line) as ReadingFields & { outcome: unknown };
      sent = { reading, outcome };
    } catch {
      broken = line;
      continue;
    }
    // What it does not know would pass for "nobody was promised anything".
    if (!OUTCOMES.has(sent.outcome)) throw new Error(`${file} has the outcome ${String(sent.outcome)}`);
    yield { reading: sent.reading, acknowledged: sent.outcome === 'acknowledged' };
  }
}
