import { runOpenLoop } from '../load/open-loop.ts';
import { percentile } from '../percentile.ts';

const CONNECTIONS = 32;
/** Nothing that it runs beside takes so long. */
const LONGEST_SECONDS = 7_200;

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
  const { url, cellar, apiKeys, perSecond, until } = options;
  const ended = new AbortController();
  void until.finally(() => ended.abort());
  const { answers, latenciesMs } = await runOpenLoop({
    url,
    path: '/api/v1/ingest',
    headers: { 'content-type': 'application/json' },
    connections: CONNECTIONS,
    perSecond,
    seconds: LONGEST_SECONDS,
    signal: ended.signal,
    headersOf: (number) => ({ 'x-api-key': apiKeys[number % apiKeys.length] ?? '' }),
    body: (number) =>
      JSON.stringify({
        cellar,
        rack: `rack-${number % 1_000}`,
        keg: 'temperature',
        value: number,
        timestamp: new Date().toISOString(),
      }),
  });
  return {
    // Some may have no answer.
    sent: Object.values(answers).reduce((all, some) => all + some, 0),
    answers,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    maxMs: percentile(latenciesMs, 1),
  };
}
