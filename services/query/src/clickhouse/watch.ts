import { setTimeout as delay } from 'node:timers/promises';
import type { Readiness } from '@cellarman/lifecycle';
import type { Logger } from '@cellarman/telemetry';
import { createHintNews } from '@cellarman/tls';
import type { ClickHouse } from './connect.ts';

/** The last migration of the sink that the statements here rely on. */
export const NEEDED_MIGRATION = 4;
const INTERVAL_MS = 1_000;
/** A restart of ClickHouse takes less; the replicas need not leave for that. */
const NOT_READY_AFTER_MS = 10_000;

/** Asks ClickHouse each second whether it answers and has the tables, for `/readyz`. */
export function watchClickHouse(options: { clickhouse: ClickHouse; readiness: Readiness; logger: Logger }): {
  stop(): Promise<void>;
} {
  const { clickhouse, readiness, logger } = options;
  const stopped = new AbortController();
  const { signal } = stopped;
  let wellAt = -Infinity;
  let isFailing = false;
  const isNews = createHintNews();

  async function look(): Promise<void> {
    try {
      const answer = await clickhouse.query({
        query: 'SELECT max(number) >= {needed: UInt32} AS isThere FROM schema_migrations',
        query_params: { needed: NEEDED_MIGRATION },
        format: 'JSONEachRow',
        abort_signal: signal,
      });
      const [row] = await answer.json<{ isThere: boolean | number }>();
      if (!row?.isThere)
        throw new Error(`the tables lack migration ${NEEDED_MIGRATION}: run \`sink migrate\``);
      wellAt = performance.now();
      readiness.set('clickhouse', true);
      if (isFailing) logger.info({}, 'ClickHouse answers again');
      isFailing = false;
    } catch (error) {
      if (signal.aborted) return;
      if (isNews(error) || !isFailing) logger.warn({ err: error }, 'ClickHouse cannot be queried');
      isFailing = true;
      if (performance.now() - wellAt < NOT_READY_AFTER_MS) return;
      readiness.set('clickhouse', false, error instanceof Error ? error.message : String(error));
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await look();
      await delay(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
