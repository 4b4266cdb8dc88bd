import { setTimeout as delay } from 'node:timers/promises';
import type { RunFile } from '@cellarman/local-stack';

/** Devices that post and a user who queries, for the duration of a rehearsal. Failures are left to the alerts. */
export interface Traffic {
  stop(): Promise<void>;
}

const PAUSE_MS = 50;

/** @param devices how many post one reading after the other */
export function startTraffic(run: RunFile, devices: number, pauseMs = PAUSE_MS): Traffic {
  const stopped = new AbortController();
  const { signal } = stopped;
  const headers = { 'content-type': 'application/json', 'x-api-key': run.demo.apiKey };

  async function repeat(ask: () => Promise<Response>): Promise<void> {
    while (!signal.aborted) {
      await ask()
        .then((answer) => answer.arrayBuffer())
        .catch(() => undefined);
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
  const post = (device: number) => {
    const url = `${run.ingestUrls[device % run.ingestUrls.length] ?? run.ingestUrl}/api/v1/ingest`;
    const rack = `rack-${device}`;
    const timestamp = new Date().toISOString();
    const body = JSON.stringify({
      ...{ cellar: run.demo.cellar, rack, keg: 'temperature' },
      ...{ value: Math.random(), timestamp },
    });
    return fetch(url, { method: 'POST', headers, body, signal });
  };
  const latest = `${run.queryUrl}/api/v1/query/cellars/${run.demo.cellar}/latest?limit=1`;
  const running = [
    ...Array.from({ length: devices }, (_, device) => repeat(() => post(device))),
    repeat(() => fetch(latest, { headers, signal })),
  ];
  return {
    async stop() {
      stopped.abort();
      await Promise.all(running);
    },
  };
}
