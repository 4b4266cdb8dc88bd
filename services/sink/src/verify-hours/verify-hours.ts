import { startLoop } from '@cellarman/concurrency';
import type { ClickHouse } from '@cellarman/clickhouse';
import type { Logger } from '@cellarman/telemetry';
import { HOUR_MS } from './hour.ts';
import type { Hour } from './hour.ts';
import { KINDS } from './hour-report.ts';
import type { Kind } from './hour-report.ts';
import { createPace } from './pace.ts';
import type { TopicSource } from './read-hour.ts';
import { readDigest } from './stored-tallies.ts';
import { readCheckedHours, storeCheck, storeReport } from './store-report.ts';
import type { CheckedHour } from './store-report.ts';
import { verifyHour } from './verify-hour.ts';

export interface VerifyHoursOptions {
  clickhouse: ClickHouse;
  topic: Omit<TopicSource, 'pace' | 'toleranceMs'>;
  deadLetterTopic: string;
  /** Whether everything that Kafka wrote before a moment is stored. */
  isStoredUntil: (moment: Date) => Promise<boolean>;
  /** Of sinks that share the work, one verifies. Two do no harm. */
  isMine: () => boolean;
  logger: Logger;
  /** By how much clocks may differ, and how long a message may have waited for the broker. */
  delayMs: number;
  /** How often an hour is checked again. */
  intervalMs: number;
  messagesPerSecond: number;
}

export interface HourVerification {
  /** Seconds since every completed hour of the last day was checked as often as it should be. Undefined: another sink verifies. */
  ageSeconds(): number | undefined;
  /** What was found in the last day. Undefined where another sink verifies. */
  findings(): Readonly<Record<Kind, number>> | undefined;
  stop(): Promise<void>;
}

/** Completed hours that are verified and checked again: a day. */
const HOURS = 24;
const PAUSE_MS = 250;
const INTERVAL_MS = 10_000;
const IDLE_MS = 1_000;
/** A broker that is unreachable is not waited for. */
const STOP_MS = 2_000;

/**
 * Verifies each completed hour of the last day against the topic, and then checks again and again that its rows are still
 * those that were compared. If they are not, the hour is verified again. Nothing is kept in memory from one hour to the
 * next: after kill -9 the hour is verified from its start.
 */
export function verifyHours(options: VerifyHoursOptions): HourVerification {
  const { clickhouse, logger } = options;
  const stopped = new AbortController();
  const { signal } = stopped;
  const pace = createPace(options.messagesPerSecond, signal);
  const topic: TopicSource = { ...options.topic, toleranceMs: options.delayMs, pace };
  let inStepAt: number | undefined;
  let storedUntil = 0;
  let findings: Record<Kind, number> | undefined;

  /** Does what is due first, and returns how long there is nothing to do. */
  async function step(): Promise<number> {
    if (!options.isMine()) {
      inStepAt = findings = undefined;
      return IDLE_MS;
    }
    // From now on, also if ClickHouse never responds.
    inStepAt ??= Date.now();
    const hours = completedHours(Date.now() - options.delayMs);
    const checked = await readCheckedHours(clickhouse, hours[0]?.from ?? 0, signal);
    findings = sumOf(checked);
    const next = nextDue(hours, checked, options);
    inStepAt = Math.min(Date.now(), next.at);
    if (next.at > Date.now()) return Math.min(next.at - Date.now(), INTERVAL_MS);
    if (!(await isStored(next.hour))) return INTERVAL_MS;
    if (!(await isUnchanged(next.checked))) await verify(next.hour);
    return PAUSE_MS;
  }

  async function isStored({ to }: Hour): Promise<boolean> {
    const until = to + options.delayMs;
    if (until > storedUntil && (await options.isStoredUntil(new Date(until)))) storedUntil = until;
    return until <= storedUntil;
  }

  async function isUnchanged(checked: CheckedHour | undefined): Promise<boolean> {
    if (checked === undefined) return false;
    // Kafka never has the messages again.
    const isSame =
      checked.digest === '' || checked.digest === (await readDigest(clickhouse, checked.hour, signal));
    if (isSame) await storeCheck(clickhouse, checked);
    return isSame;
  }

  async function verify(hour: Hour): Promise<void> {
    const { deadLetterTopic } = options;
    const from = new Date(hour.from).toISOString();
    logger.debug({ hour: from }, 'verifying a completed hour');
    const verified = await verifyHour({ clickhouse, topic, deadLetterTopic, hour, signal });
    signal.throwIfAborted();
    await storeReport(clickhouse, hour, verified);
    const found = [...(verified?.cellars.values() ?? [])].filter((figures) =>
      KINDS.some((kind) => figures[kind] > 0),
    );
    if (found.length === 0) logger.debug({ hour: from }, 'verified a completed hour');
    else {
      const findings = [...(verified?.findings.values() ?? [])].flat().slice(0, 3);
      logger.error(
        { hour: from, cellars: found.length, findings },
        'the readings in ClickHouse do not match the topic',
      );
    }
  }

  const loop = startLoop({
    ...{ work: step, intervalMs: INTERVAL_MS, stopMs: STOP_MS, logger },
    failed: 'could not verify a completed hour, will retry',
    recovered: 'verification of completed hours has recovered',
  });
  return {
    ageSeconds: () => (inStepAt === undefined ? undefined : Math.max(0, Date.now() - inStepAt) / 1_000),
    findings: () => findings,
    async stop() {
      stopped.abort();
      await loop.stop();
    },
  };
}

/** The hours of the last day that had ended at a moment, the oldest first. */
function completedHours(moment: number): Hour[] {
  const end = Math.floor(moment / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HOURS }, (_, index) => {
    const from = end - (HOURS - index) * HOUR_MS;
    return { from, to: from + HOUR_MS };
  });
}

/** New hours first, then the one that was checked longest ago. */
function nextDue(
  hours: readonly Hour[],
  checked: readonly CheckedHour[],
  { delayMs, intervalMs }: Pick<VerifyHoursOptions, 'delayMs' | 'intervalMs'>,
): { hour: Hour; at: number; checked: CheckedHour | undefined } {
  const known = new Map(checked.map((one) => [one.hour.from, one]));
  const all = hours.map((hour) => {
    const before = known.get(hour.from);
    return {
      hour,
      checked: before,
      at: before === undefined ? hour.to + delayMs : before.checkedAt + intervalMs,
    };
  });
  const [unverified] = all.filter((one) => one.checked === undefined);
  return unverified ?? all.reduce((first, one) => (one.at < first.at ? one : first));
}

function sumOf(checked: readonly CheckedHour[]): Record<Kind, number> {
  const sum = { missing: 0, duplicated: 0, altered: 0 };
  for (const { figures } of checked) for (const kind of KINDS) sum[kind] += figures[kind];
  return sum;
}
