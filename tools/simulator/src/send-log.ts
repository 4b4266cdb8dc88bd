import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Outcome } from './outcome.ts';

/** NDJSON: one line per reading, its five fields as they were sent, and what became of it. */
export interface SendLog {
  /** Resolves when the disk has kept up. */
  write(body: string, outcome: Outcome): Promise<void>;
  close(): Promise<void>;
}

const BUFFER_BYTES = 1024 * 1024;

export async function openSendLog(file: string): Promise<SendLog> {
  const stream = createWriteStream(file, { highWaterMark: BUFFER_BYTES });
  await once(stream, 'open');
  let failure: Error | undefined;
  stream.on('error', (error) => (failure = error));
  return {
    async write(body, outcome) {
      if (failure !== undefined) throw failure;
      const line = `${body.slice(0, -1)},${JSON.stringify(outcome).slice(1)}\n`;
      if (!stream.write(line)) await once(stream, 'drain');
    },
    async close() {
      stream.end();
      await finished(stream);
    },
  };
}

export const NO_SEND_LOG: SendLog = { write: async () => {}, close: async () => {} };
