export interface CoalesceOptions<Item, Result> {
  /**
   * Sends one request for many items. It is called after the last of them was requested, and resolves with their results
   * in the same order. When it rejects, all of them do.
   */
  send: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Items in one batch. */
  maxBatch: number;
  /** Batches in flight. */
  maxInFlight: number;
  /**
   * The minimum time between the start of two batches, unless the second is full. @default 0
   */
  intervalMs?: number;
}

/**
 * Sends a request immediately while fewer than `maxInFlight` batches are in flight, and otherwise collects items for the
 * next batch. A single item waits for nothing, and many concurrent ones become a few large requests.
 *
 * It limits the batches, not the items that wait: the caller has to.
 */
export function coalesceRequests<Item, Result>(
  options: CoalesceOptions<Item, Result>,
): (item: Item) => Promise<Result> {
  const { send, maxBatch, maxInFlight, intervalMs = 0 } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let isScheduled = false;
  let earliestNext = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  async function sendBatch(): Promise<void> {
    earliestNext = performance.now() + intervalMs;
    const batch = waiting.slice(0, maxBatch);
    waiting = waiting.slice(maxBatch);
    inFlight++;
    try {
      const results = await send(batch.map(({ item }) => item));
      if (results.length !== batch.length) {
        throw new Error(`a batch of ${batch.length} items has ${results.length} results`);
      }
      results.forEach((result, i) => batch[i]?.resolve(result));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      inFlight--;
      if (!isScheduled) sendBatches();
    }
  }

  function sendBatches(): void {
    isScheduled = false;
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0 && inFlight < maxInFlight) {
      const leftMs = earliestNext - performance.now();
      if (leftMs > 0 && waiting.length < maxBatch) {
        timer = setTimeout(sendBatches, leftMs);
        return;
      }
      void sendBatch();
    }
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      const isPaced = timer !== undefined && waiting.length < maxBatch;
      if (isScheduled || isPaced || inFlight >= maxInFlight) return;
      // Everything that is requested before the next microtask is in the same batch.
      isScheduled = true;
      queueMicrotask(sendBatches);
    });
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}
