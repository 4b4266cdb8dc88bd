/**
 * Does something for each item, several at a time. The first failure or `stop` ends the taking of items; what is under
 * way is waited for in both cases.
 */
export async function atOnce<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  { most, stop }: { most: number; stop: AbortSignal },
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let isOver = false;

  async function runWorker(): Promise<void> {
    try {
      while (!isOver && !stop.aborted) {
        const next = await source.next();
        if (next.done === true) break;
        await work(next.value);
      }
    } finally {
      isOver = true;
    }
  }

  const ends = await Promise.allSettled(Array.from({ length: most }, runWorker));
  await source.return?.();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
