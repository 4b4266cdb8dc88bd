import { startLoop } from '@cellarman/concurrency';
import type { ClickHouse } from '@cellarman/clickhouse';
import type { Replay, ReplayResult } from '@cellarman/contracts';
import type { KeyServiceClient } from '@cellarman/key-service-client';
import type { Logger } from '@cellarman/telemetry';
import { createStreak } from '../batch/bad-row-streak.ts';
import { Batch } from '../batch/batch.ts';
import { createLineBuffers } from '../batch/line-buffers.ts';
import { toLine } from '../batch/to-line.ts';
import { recountHours } from '../hourly-rollup/recount-hours.ts';
import { insertBatch } from '../store/insert-batch.ts';

const INTERVAL_MS = 2_000;
const RECEIVED_AT = /"received_at":"([^"]+)"/;

/**
 * Stores the dead letters that owners want replayed, past the topic, which has them already. Each result is reported after
 * its reading is in ClickHouse: a sink that is killed in between stores it again, and the view shows it once.
 */
export function replayDeadLetters(options: {
  clickhouse: ClickHouse;
  keyService: Pick<KeyServiceClient, 'replays' | 'reportReplays'>;
  /** Of several sinks, one replays. */
  isMine: () => boolean;
  logger: Logger;
}): { stop(): Promise<void> } {
  const { clickhouse, keyService, isMine, logger } = options;
  const buffers = createLineBuffers(1);

  /** @returns the pause: none while there may be more */
  async function replaySome(signal: AbortSignal): Promise<number> {
    if (!isMine()) return INTERVAL_MS;
    const replays = await keyService.replays();
    if (replays.length === 0) return INTERVAL_MS;
    const results = await store(replays, signal);
    await keyService.reportReplays(results);
    const rejected = results.filter((result) => result.rejected !== null).length;
    logger.info({ stored: results.length - rejected, rejected }, 'replayed dead letters');
    return 0;
  }

  async function store(replays: readonly Replay[], signal: AbortSignal): Promise<ReplayResult[]> {
    const batch = new Batch({ buffers, now: performance.now() });
    const rejected = new Map<number, string>();
    const hours = new Set<number>();
    try {
      for (const [index, { value, headers }] of replays.entries()) {
        const message = toMessage(index, value, headers);
        const decoded = toLine(message);
        if ('line' in decoded) {
          batch.addLine(0, message, decoded.line);
          hours.add(hourOf(decoded.line));
        } else rejected.set(index, decoded.reason);
      }
      const outcome = await insertBatch(clickhouse, batch, { streak: createStreak(0), signal });
      for (const { row, reason } of outcome.rejected) rejected.set(batch.origin(row).offset, reason);
    } finally {
      batch.release();
    }
    await recountHours(clickhouse, hours, signal);
    return replays.map(({ id }, index) => ({ id, rejected: rejected.get(index)?.slice(0, 1_000) ?? null }));
  }

  return startLoop({
    ...{ work: replaySome, intervalMs: INTERVAL_MS, logger },
    failed: 'cannot replay dead letters, retrying',
  });
}

function toMessage(index: number, value: string, headers: Readonly<Record<string, string>>) {
  const bytes = Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)] as const);
  return {
    key: null,
    value: Buffer.from(value, 'base64'),
    headers: Object.fromEntries(bytes),
    offset: String(index),
    timestamp: '0',
  };
}

/** Begin of the hour in which it was received, in seconds since 1970. */
function hourOf(line: Buffer): number {
  const at = Date.parse(RECEIVED_AT.exec(line.toString())?.[1] ?? '');
  return Math.floor(at / 3_600_000) * 3_600;
}
