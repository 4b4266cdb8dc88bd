import { setTimeout as delay } from 'node:timers/promises';
import { INGEST_PATH } from '@cellarman/contracts';
import { Pool } from 'undici';
import type { Ledger } from './ledger.ts';

export interface LoadOptions {
  /** Asked before each reading: a replica may have come back elsewhere. */
  urls: () => readonly string[];
  apiKey: string;
  clients: number;
  ledger: Ledger;
}

export interface Load {
  /** Longest time between sending a reading and its answer or failure, in milliseconds. */
  slowestMs(): number;
  /** No new readings; resolves when the last answer is there. */
  stop(): Promise<void>;
}

/**
 * Clients that post one reading after another, as devices do. What is not acknowledged is sent again, the same
 * reading, until it is; a device that gives up would hide doubles.
 */
export function startLoad(options: LoadOptions): Load {
  const { urls, apiKey, clients, ledger } = options;
  const pools = new Map<string, Pool>();
  const stop = new AbortController();
  let slowest = 0;

  const isStopping = (): boolean => stop.signal.aborted;

  function poolOf(url: string): Pool {
    const pool =
      pools.get(url) ?? new Pool(url, { connections: clients, headersTimeout: 10_000, bodyTimeout: 10_000 });
    pools.set(url, pool);
    return pool;
  }

  async function post(url: string, body: string): Promise<number | string> {
    try {
      const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
      const answer = await poolOf(url).request({ path: INGEST_PATH, method: 'POST', headers, body });
      await answer.body.dump();
      return answer.statusCode;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? 'failed';
    }
  }

  async function client(index: number): Promise<void> {
    while (!isStopping()) {
      const { number, reading } = ledger.next();
      const body = JSON.stringify(reading);
      for (let attempt = 0; ; attempt++) {
        const targets = urls();
        const begun = performance.now();
        const status = await post(targets[(index + attempt) % targets.length] ?? '', body);
        slowest = Math.max(slowest, performance.now() - begun);
        const acknowledged = typeof status === 'number' && status >= 200 && status < 300;
        ledger.record(
          number,
          acknowledged ? 'acknowledged' : typeof status === 'number' ? 'refused' : 'unknown',
          status,
        );
        if (acknowledged || isStopping()) break;
        await delay(100);
      }
    }
  }

  const running = Array.from({ length: clients }, (_, index) => client(index));
  return {
    slowestMs: () => Math.round(slowest),
    async stop() {
      stop.abort();
      await Promise.all(running);
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}
