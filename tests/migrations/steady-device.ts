import { setTimeout as delay } from 'node:timers/promises';
import { now, post } from './work.ts';

/** A device that sends all the time and counts what was not acknowledged. */
export interface SteadyDevice {
  rack: string;
  acknowledged(): number;
  rejected: string[];
  /** Sends to another ingest from now on; resolves when nothing is under way to the one before. */
  switchTo(ingestUrl: string): Promise<void>;
  stop(): Promise<void>;
}

const INTERVAL_MS = 20;

export function startDevice(options: { ingestUrl: string; cellar: string; secret: string }): SteadyDevice {
  const { cellar, secret } = options;
  const rack = 'steady';
  const rejected: string[] = [];
  let { ingestUrl } = options;
  let acknowledged = 0;
  let underWay = Promise.resolve();
  let isStopped = false;

  async function sendOne(value: number): Promise<void> {
    try {
      const answer = await post(ingestUrl, secret, { cellar, rack, keg: 'k', value, timestamp: now() });
      const text = await answer.text();
      if (answer.status === 200) acknowledged += 1;
      else rejected.push(`${answer.status} ${text}`);
    } catch (error) {
      rejected.push(String(error));
    }
  }

  const running = (async () => {
    for (let value = 1; !isStopped; value += 1) {
      underWay = sendOne(value);
      await underWay;
      await delay(INTERVAL_MS);
    }
  })();

  return {
    rack,
    rejected,
    acknowledged: () => acknowledged,
    async switchTo(url) {
      ingestUrl = url;
      await underWay;
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
