import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { Batch } from '../batch/batch.ts';
import type { ConsumedMessage } from '@cellarman/kafka';
import type { LineBuffers } from '../batch/line-buffers.ts';
import { insertInterval } from './insert-interval.ts';
import { createOffsetTracker } from './offset-tracker.ts';
import { toLine } from '../batch/to-line.ts';
import type { Streak } from '../batch/bad-row-streak.ts';

export interface PipelineLimits {
  /** A batch is closed when it has this number of messages, … */
  maxRows: number;
  /** … or this number of bytes of lines. */
  maxBytes: number;
  /** Batches are closed at most this often unless they are full: each insert makes a part that must be merged, … */
  minIntervalMs: number;
  /** … and at least this often. Between the two the load decides, see `insertInterval`. */
  maxIntervalMs: number;
  /** The same while more than one full batch waits in the topic: large inserts cost ClickHouse less per row. */
  backlogIntervalMs: number;
  /** Batches that are stored at the same time; one more gathers meanwhile. */
  maxInFlight: number;
}

export interface Pipeline {
  /**
   * Takes messages in the order of their offsets. It waits while memory is full, which is the brake on fetching.
   *
   * @param behind messages of the partition that are still to come
   */
  take(partition: number, messages: readonly ConsumedMessage[], behind?: number): Promise<void>;
  /** Stores what is there now and waits for all of it. */
  flush(): Promise<void>;
  stats(): PipelineStats;
}

export interface PipelineStats {
  /** Messages in the batch that is being filled. */
  gathered: number;
  /** Batches that are being stored. */
  inFlight: number;
  /** Age of the oldest message that is not stored. */
  oldestMs: number;
  /** A few of the lines that are not stored, the oldest of each partition among them. */
  firstLines: readonly Buffer[];
}

/** A millisecond or so. */
const MESSAGES_PER_TICK = 500;

/** How long before an insert the next messages are fetched: time for the responses of all brokers. */
const FETCH_LEAD_MS = 20;

export interface PipelineOptions {
  limits: PipelineLimits;
  buffers: LineBuffers;
  store: (batch: Batch, signal: AbortSignal) => Promise<unknown>;
  commit: (offsets: ReadonlyMap<number, number>) => void;
  /** A batch cannot be stored and waiting does not help. */
  onFatal: (error: unknown) => void;
  /** Bad messages in the order in which they come. */
  streak: Streak;
  signal: AbortSignal;
  /** Monotonic milliseconds. */
  clock?: { now(): number };
}

/**
 * From messages to committed offsets, for one assignment of partitions: fills a batch while others are being stored, and
 * commits what is stored without a gap. After a rebalance it is thrown away, with `signal`, and a new one begins.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { limits, buffers, store, commit, onFatal, streak, signal, clock = performance } = options;
  const tracker = createOffsetTracker();
  const inFlight = new Map<Batch, Promise<void>>();
  const backlog = new Map<number, number>();
  let gathering: Batch | undefined;
  let lastClosed = -Infinity;
  let intervalMs = limits.minIntervalMs;
  let lastInsertMs = 0;
  const fetchesHeld = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let room = Promise.withResolvers<undefined>();

  // Reading `aborted` of a composed signal is slow, and it would be read for every message.
  let isEnded = signal.aborted;
  signal.addEventListener('abort', () => {
    isEnded = true;
    clearTimeout(timer);
    room.resolve(undefined);
    fetchesHeld.abort();
  });

  const isFull = (batch: Batch) => batch.messages >= limits.maxRows || batch.byteLength >= limits.maxBytes;

  function isBacklogged(): boolean {
    let messages = 0;
    for (const behind of backlog.values()) messages += behind;
    return messages > limits.maxRows;
  }

  /** Passes the gathered batch on if it is time and there is room, or else schedules the next check. */
  function closeIfDue(isForced = false): void {
    if (gathering === undefined || inFlight.size >= limits.maxInFlight || isEnded) return;
    const wait = lastClosed + (isBacklogged() ? limits.backlogIntervalMs : intervalMs) - clock.now();
    clearTimeout(timer);
    if (!isForced && !isFull(gathering) && wait > 0) {
      timer = setTimeout(closeIfDue, wait);
      return;
    }
    const batch = gathering;
    gathering = undefined;
    const closed = clock.now();
    // Of a batch after a quiet time, only that it was quiet is known.
    const gatheredMs = Math.min(closed - lastClosed, limits.maxIntervalMs);
    intervalMs = insertInterval(
      { messages: batch.messages, gatheredMs, insertMs: lastInsertMs },
      { minMs: limits.minIntervalMs, maxMs: limits.maxIntervalMs },
    );
    lastClosed = closed;
    const { ranges } = batch;
    for (const range of ranges) tracker.open(range);
    const stored = store(batch, signal)
      .then(() => {
        lastInsertMs = clock.now() - closed;
        batch.release();
        for (const range of ranges) tracker.close(range);
        if (!isEnded) commit(tracker.takeCommittable());
      })
      .catch((error: unknown) => {
        if (!isEnded) onFatal(error);
      })
      .finally(() => {
        inFlight.delete(batch);
        closeIfDue();
        room.resolve(undefined);
        room = Promise.withResolvers();
      });
    inFlight.set(batch, stored);
  }

  const isGathering = () => gathering !== undefined;

  /** Also true at the end, when nobody makes room any more. */
  function hasRoom(): boolean {
    if (isEnded || gathering === undefined || !isFull(gathering)) return true;
    closeIfDue();
    return !isGathering();
  }

  /** While nothing is behind, messages are fetched when they are due and not one by one: each fetch costs the broker. */
  async function holdFetches(): Promise<void> {
    const wait = lastClosed + intervalMs - FETCH_LEAD_MS - clock.now();
    const isBehind = [...backlog.values()].some((behind) => behind > 0);
    if (wait > 0 && !isBehind)
      await delay(wait, undefined, { signal: fetchesHeld.signal }).catch(() => undefined);
  }

  function gather(partition: number, message: ConsumedMessage): void {
    gathering ??= new Batch({ buffers, now: clock.now() });
    const decoded = toLine(message);
    if ('line' in decoded) {
      gathering.addLine(partition, message, decoded.line);
      streak.good();
    } else {
      gathering.addBad(partition, message, decoded.reason);
      streak.bad(decoded.reason);
    }
  }

  return {
    async take(partition, messages, behind = 0) {
      backlog.set(partition, behind);
      let taken = 0;
      for (const message of messages) {
        // Meanwhile the inserts under way write to their sockets, in each turn as much as fits into the kernel's buffer.
        if (++taken % MESSAGES_PER_TICK === 0) await nextTurn();
        while (!hasRoom()) await room.promise;
        if (isEnded) return;
        try {
          gather(partition, message);
        } catch (error) {
          onFatal(error);
          return;
        }
      }
      closeIfDue();
      await holdFetches();
    },
    async flush() {
      fetchesHeld.abort();
      while (!isEnded && (gathering !== undefined || inFlight.size > 0)) {
        closeIfDue(true);
        await Promise.race(inFlight.values());
      }
    },
    stats() {
      const batches = [...inFlight.keys(), ...(gathering === undefined ? [] : [gathering])];
      const oldest = Math.min(...batches.map((batch) => batch.since));
      return {
        gathered: gathering?.messages ?? 0,
        inFlight: inFlight.size,
        oldestMs: batches.length === 0 ? 0 : clock.now() - oldest,
        firstLines: batches.flatMap((batch) => batch.firstLines),
      };
    },
  };
}
