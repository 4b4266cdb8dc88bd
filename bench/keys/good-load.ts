import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';

export interface GoodLoadResult {
  sent: number;
  /** By status, or by the error of a request without an answer. */
  answers: Record<string, number>;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/**
 * Readings with good keys at a steady rate, whether answers come or not. A latency counts from the moment at which the
 * reading was due, so that a stall is not left out because nobody sent anything meanwhile.
 */
export async function goodLoad(options: {
  url: string;
  cellar: string;
  apiKeys: readonly string[];
  perSecond: number;
  until: Promise<unknown>;
}): Promise<GoodLoadResult> {
  const { cellar, apiKeys, perSecond } = options;
  const pool = new Pool(options.url, { connections: 32 });
  const answers: Record<string, number> = {};
  const latencies: number[] = [];
  const underWay = new Set<Promise<void>>();
  let ended = false;
  void options.until.finally(() => (ended = true));

  async function send(number: number, due: number): Promise<void> {
    const timestamp = new Date(Date.now()).toISOString();
    const reading = { cellar, rack: `rack-${number % 1_000}`, keg: 'temperature', value: number, timestamp };
    const apiKey = apiKeys[number % apiKeys.length] ?? '';
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
    let answer: number | string;
    try {
      const body = JSON.stringify(reading);
      const response = await pool.request({ method: 'POST', path: '/api/v1/ingest', headers, body });
      await response.body.dump();
      answer = response.statusCode;
    } catch (error) {
      answer = (error as NodeJS.ErrnoException).code ?? 'failed';
    }
    answers[answer] = (answers[answer] ?? 0) + 1;
    latencies.push(performance.now() - due);
  }

  const began = performance.now();
  for (let number = 0; !isTrue(() => ended); number++) {
    const due = began + (number / perSecond) * 1_000;
    const early = due - performance.now();
    // Also when it is late: the answers have to be taken in meanwhile.
    await (early > 0 ? delay(early) : immediate());
    const sending = send(number, due).finally(() => underWay.delete(sending));
    underWay.add(sending);
  }
  await Promise.all(underWay);
  await pool.close();
  latencies.sort((a, b) => a - b);
  return {
    sent: latencies.length,
    answers,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    maxMs: percentile(latencies, 1),
  };
}

/** Asked anew: the compiler takes a value that it has seen for one that stays. */
function isTrue(ask: () => boolean): boolean {
  return ask();
}

/** @param sorted from the smallest to the largest */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(Math.ceil(sorted.length * part), sorted.length) - 1] ?? Number.NaN;
}
