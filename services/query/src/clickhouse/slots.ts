import { ApiError } from '@cellarman/http-api';

export interface SlotLimits {
  /** Queries that run at a time. Streams get half of them at most. */
  running: number;
  /** Of them, those of one reader. Its streams get half of that at most. */
  runningPerReader: number;
  /** Queries that may wait. A page sends several short ones concurrently. One reader gets at most half of this queue. */
  waiting: number;
  waitMs: number;
}

export interface SlotRequest {
  /** The reader whose share of the slots this counts towards. */
  reader: string;
  /** A response that is sent row by row holds its slot as long as ClickHouse has rows to send. */
  isStream: boolean;
  signal: AbortSignal;
}

/** Bounds the queries that run, fairly between readers. Others wait a little, and all beyond are rejected. */
export interface Slots {
  /**
   * @returns what releases the slot; it may be called twice
   * @throws {ApiError} `unavailable`
   */
  take(request: SlotRequest): Promise<() => void>;
  running: () => number;
  waiting: () => number;
}

type Kind = Pick<SlotRequest, 'reader' | 'isStream'>;

export function createSlots(limits: SlotLimits): Slots {
  const { waiting: maxWaiting, waitMs } = limits;
  const held = new Set<Kind>();
  const queue = new Set<Kind & { begin: () => void }>();

  function hasRoomFor({ reader, isStream }: Kind): boolean {
    const ofReader = [...held].filter((slot) => slot.reader === reader);
    if (held.size >= limits.running || ofReader.length >= limits.runningPerReader) return false;
    if (!isStream) return true;
    return (
      countStreams(held) < half(limits.running) && countStreams(ofReader) < half(limits.runningPerReader)
    );
  }

  /** @returns what releases the slot */
  function hold({ reader, isStream }: Kind): () => void {
    const slot = { reader, isStream };
    held.add(slot);
    return () => {
      if (held.delete(slot)) beginWaiting();
    };
  }

  /** Those who wait longest go first, unless their share is used up. */
  function beginWaiting(): void {
    for (const waiter of queue) if (hasRoomFor(waiter)) waiter.begin();
  }

  return {
    running: () => held.size,
    waiting: () => queue.size,
    async take({ reader, isStream, signal }) {
      signal.throwIfAborted();
      if (hasRoomFor({ reader, isStream })) return hold({ reader, isStream });
      const ofReader = [...queue].filter((waiter) => waiter.reader === reader);
      if (queue.size >= maxWaiting || ofReader.length >= Math.ceil(maxWaiting / 2)) throw tooMany();
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          queue.delete(waiter);
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
        };
        const onAbort = (): void => {
          leave();
          reject(signal.reason as Error);
        };
        const timer = setTimeout(() => {
          leave();
          reject(tooMany());
        }, waitMs);
        const waiter = {
          reader,
          isStream,
          begin() {
            leave();
            resolve(hold(waiter));
          },
        };
        signal.addEventListener('abort', onAbort);
        queue.add(waiter);
      });
    },
  };
}

function countStreams(slots: Iterable<Kind>): number {
  return [...slots].filter(({ isStream }) => isStream).length;
}

/** Rounded down, but never none. */
function half(count: number): number {
  return Math.max(1, Math.floor(count / 2));
}

function tooMany(): ApiError {
  return new ApiError('unavailable', 'Too many queries at a time. Try again.');
}
