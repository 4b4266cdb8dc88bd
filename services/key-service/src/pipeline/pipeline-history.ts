import type { IngestHealth, SinkHealth } from '@cellarman/contracts';
import type { Queryable } from '../postgres/database.ts';
import type { HistoryPoint } from './pipeline-schema.ts';
import { rateOf } from './rate-of.ts';

const STEP = '30 seconds';
const KEPT_DAYS = 7;

/** The ranges of a chart, and their step: 120 to 336 points. */
export const HISTORY_RANGES = {
  hour: { seconds: 3_600, step: 30 },
  day: { seconds: 86_400, step: 300 },
  week: { seconds: KEPT_DAYS * 86_400, step: 1_800 },
} as const;
export type HistoryRange = keyof typeof HISTORY_RANGES;

/** Adds a report to the current step, within the statement that stores it. `$1` is the process. */
export const RECORD_HISTORY = `INSERT INTO pipeline_history AS known
  (step, process, accepted, rejected, failed, stored, behind_ms, lag)
SELECT date_bin('${STEP}', now(), 'epoch'), $1::uuid, accepted, rejected, failed, stored, behind_ms, lag
FROM jsonb_to_record($6::jsonb)
  AS report (accepted float8, rejected float8, failed float8, stored float8, behind_ms float8, lag bigint)
ON CONFLICT (step, process) DO UPDATE SET
  accepted = EXCLUDED.accepted, rejected = EXCLUDED.rejected, failed = EXCLUDED.failed, stored = EXCLUDED.stored,
  behind_ms = greatest(known.behind_ms, EXCLUDED.behind_ms), lag = greatest(known.lag, EXCLUDED.lag)`;

/** The columns of a report. */
export function historyOf(report: IngestHealth | SinkHealth): Record<string, number | null> {
  const rate = (count: number) => rateOf(report, count);
  if ('accepted' in report) {
    const { accepted, rejected, failed } = report;
    return { accepted: rate(accepted), rejected: rate(rejected), failed: rate(failed) };
  }
  const { stored, behindMs, topic } = report;
  const lags = topic?.partitions.map(({ lag }) => lag) ?? [];
  const isKnown = topic !== null && lags.every((lag) => lag !== null);
  return {
    ...{ stored: rate(stored), behind_ms: behindMs },
    lag: isKnown ? lags.reduce((sum, lag) => sum + lag, 0) : null,
  };
}

/** Rates of all replicas together, and the highest delay and lag, by step. */
export function createPipelineHistory({ database }: { database: Queryable }) {
  return {
    /** @param now in milliseconds since 1970 */
    async read(range: HistoryRange, now: number) {
      const { seconds, step } = HISTORY_RANGES[range];
      const from = new Date(now - seconds * 1_000);
      const points = await database.query<HistoryPoint>(
        `SELECT to_char(date_bin($2 * interval '1 s', step, 'epoch') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') AS at,
           avg(accepted) AS "acceptedPerSecond", avg(rejected) AS "rejectedPerSecond", avg(failed) AS "failedPerSecond",
           avg(stored) AS "storedPerSecond", max(behind_ms) / 1000 AS "behindSeconds", max(lag)::float8 AS lag
         FROM (
           SELECT step, sum(accepted) AS accepted, sum(rejected) AS rejected,
             sum(failed) AS failed, sum(stored) AS stored, max(behind_ms) AS behind_ms, max(lag) AS lag
           FROM pipeline_history WHERE step >= $1 GROUP BY step
         ) AS steps
         GROUP BY at ORDER BY at`,
        [from, step],
      );
      return { from: from.toISOString(), to: new Date(now).toISOString(), stepSeconds: step, points };
    },
    async prune(): Promise<void> {
      await database.query('DELETE FROM pipeline_history WHERE step < now() - make_interval(days => $1)', [
        KEPT_DAYS,
      ]);
    },
  };
}

export type PipelineHistory = ReturnType<typeof createPipelineHistory>;
