/** Waits until other work has had its turn. */
export type YieldToEventLoop = () => Promise<void>;

/**
 * Large batches are worked on in slices. One slice runs in each turn of the event loop, however many batches wait, so that
 * no request waits longer than for one slice.
 */
export function createYield(): YieldToEventLoop {
  const waiting: (() => void)[] = [];

  function next(): void {
    const resume = waiting.shift();
    if (waiting.length > 0) setImmediate(next);
    resume?.();
  }

  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next);
    });
}
