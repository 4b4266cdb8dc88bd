import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Ledger, NumberedReading } from './ledger.ts';
import { postBatch, postLines, postReading } from './post.ts';
import type { PostResult } from './post.ts';
import { createTally } from './tally.ts';
import type { TallyFigures } from './tally.ts';

export interface LoadOptions {
  urls: readonly string[];
  apiKey: string;
  ledger: Ledger;
  /** @default 16 */
  clients?: number;
  /** Readings per second of all clients together; without it each sends when it has its response. */
  rate?: number;
  /** Readings in one request to the batch endpoint. Every fourth client then still sends single ones. @default 1 */
  batch?: number;
  /** Of requests with more than one reading. @default json */
  format?: 'json' | 'line protocol';
}

export interface Load {
  figures(): TallyFigures;
  /** Returns the longest time to a response or failure since this call, in milliseconds. */
  slowestFromNow(): () => number;
  /** No new readings; resolves when the last response has arrived. */
  stop(): Promise<void>;
}

/** Longer than anything may take: a late response is measured, not cut off. */
const PATIENCE_MS = 60_000;
const RETRY_AFTER_MS = 100;

/**
 * Clients that post one reading after another, as devices do. What is not acknowledged is sent again, the same
 * reading, until it is; a device that gives up would hide doubles.
 */
export function startLoad(options: LoadOptions): Load {
  const { urls, apiKey, ledger, clients = 16, rate, batch = 1, format = 'json' } = options;
  const pools = urls.map(
    (url) => new Pool(url, { connections: clients, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS }),
  );
  const tally = createTally();
  const stop = new AbortController();
  const sizes = Array.from({ length: clients }, (_, index) => (index % 4 === 0 ? 1 : batch));
  const pauseMs = rate === undefined ? 0 : (1000 * sizes.reduce((sum, size) => sum + size, 0)) / rate;

  const isStopping = (): boolean => stop.signal.aborted;
  const wait = (ms: number): Promise<void> =>
    delay(ms, undefined, { signal: stop.signal }).catch(() => undefined);

  async function attempt(pool: Pool, readings: readonly NumberedReading[]): Promise<boolean> {
    const postMany = format === 'json' ? postBatch : postLines;
    const post = readings.length === 1 ? postReading : postMany;
    const begun = performance.now();
    const { answer, outcomes }: PostResult = await post(pool, apiKey, readings);
    tally.count(answer, performance.now() - begun);
    readings.forEach(({ number }, i) => ledger.record(number, outcomes[i] ?? 'unknown'));
    if (outcomes.includes('acknowledged')) tally.acknowledged();
    return outcomes.every((outcome) => outcome === 'acknowledged');
  }

  async function client(size: number, index: number): Promise<void> {
    // Spread over the first pause, so that they do not all send at the same moment.
    let due = performance.now() + (pauseMs * index) / clients;
    while (!isStopping()) {
      if (pauseMs > 0) await wait(Math.max(0, due - performance.now()));
      if (isStopping()) return;
      // Nobody makes up for an outage: the rate is a ceiling.
      due = Math.max(due + pauseMs, performance.now());
      const readings = Array.from({ length: size }, () => ledger.next());
      for (let turn = index; ; turn++) {
        const isDone = await attempt(pools[turn % pools.length] as Pool, readings);
        if (isDone || isStopping()) break;
        await wait(RETRY_AFTER_MS);
      }
    }
  }

  const running = sizes.map(client);
  return {
    figures: () => tally.figures(),
    slowestFromNow: () => tally.slowestFromNow(),
    async stop() {
      stop.abort();
      await Promise.all(running);
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}
