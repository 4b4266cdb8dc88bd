import { startLoop } from '@cellarman/concurrency';
import type { ClickHouse } from '@cellarman/clickhouse';
import type { Logger } from '@cellarman/telemetry';
import { endOf, nextHour, rollUpHour } from './roll-up-hour.ts';

export interface HourlyRollupOptions {
  clickhouse: ClickHouse;
  /** Whether everything that Kafka wrote before a moment is stored. */
  isStoredUntil: (moment: Date) => Promise<boolean>;
  /** Sinks that share the work: one of them counts. */
  isMine: () => boolean;
  logger: Logger;
  /** How long after its end an hour is counted: clocks differ, and a broker may have slept on a request. */
  delayMs: number;
}

export interface HourlyRollup {
  /** Seconds since every hour that had ended was counted. Undefined where another sink counts. */
  ageSeconds(): number | undefined;
  stop(): Promise<void>;
}

/** Between two hours of a long past, so that queries come to their turn. */
const PAUSE_MS = 250;
/** How often a sink with nothing to count checks again. */
const INTERVAL_MS = 10_000;
/** As long as another sink counts. */
const IDLE_MS = 1_000;
/** An hour takes its time to end; meanwhile tables may be put back that lack hours before it. */
const LONGEST_MS = 60_000;
/** Nothing is half done that matters: a broker that is unreachable is not waited for. */
const STOP_MS = 2_000;

/**
 * Counts what was received, hour after hour, as soon as nothing more can come into the hour. A chart of weeks is drawn from
 * these counts, so that it need not read all readings of the weeks.
 */
export function startHourlyRollup(options: HourlyRollupOptions): HourlyRollup {
  let inStepAt: number | undefined;
  const loop = startLoop({
    ...{ intervalMs: INTERVAL_MS, stopMs: STOP_MS, logger: options.logger },
    failed: 'could not roll up an hour, will retry; charts of long ranges are slower until then',
    recovered: 'hourly rollup has recovered',
    work(signal) {
      if (!options.isMine()) inStepAt = undefined;
      // From now on, also if ClickHouse never says what there is to count.
      else inStepAt ??= Date.now();
      return rollUpNext(options, signal, (at) => (inStepAt = at));
    },
  });

  return {
    ageSeconds: () => (inStepAt === undefined ? undefined : Math.max(0, Date.now() - inStepAt) / 1_000),
    stop: loop.stop,
  };
}

/** @returns after how many milliseconds there may be something to count */
async function rollUpNext(
  options: HourlyRollupOptions,
  signal: AbortSignal,
  onInStep: (at: number) => void,
): Promise<number> {
  const { clickhouse, isStoredUntil, isMine, logger, delayMs } = options;
  if (!isMine()) return IDLE_MS;
  const hour = await nextHour(clickhouse, signal);
  const quiet = hour === undefined ? undefined : new Date(endOf(hour).getTime() + delayMs);
  onInStep(Math.min(Date.now(), quiet?.getTime() ?? Infinity));
  if (hour === undefined || quiet === undefined) return INTERVAL_MS;
  if (Date.now() < quiet.getTime()) return Math.min(quiet.getTime() - Date.now(), LONGEST_MS);
  if (!(await isStoredUntil(quiet))) return INTERVAL_MS;
  // Readings of an hour before it may have been stored since: its turn is first, or it would never be counted.
  const next = await nextHour(clickhouse, signal);
  if (next?.getTime() !== hour.getTime()) return PAUSE_MS;
  await rollUpHour(clickhouse, hour, signal);
  logger.debug({ hour }, 'rolled up an hour');
  return PAUSE_MS;
}
