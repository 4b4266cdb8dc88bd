import { ApiError } from '@cellarman/http-api';

interface Waiting {
  start: () => void;
  reject: (error: ApiError) => void;
}

/**
 * Limits concurrent work. Waiting work is served round-robin by network. When the queue is full, the network with the longest
 * queue loses its newest entry: one network cannot keep the others out.
 */
export function createFairQueue({ maxRunning, maxWaiting }: { maxRunning: number; maxWaiting: number }) {
  // By network; the order of the map is that of the turns.
  const queues = new Map<string, Waiting[]>();
  let waitingCount = 0;
  let running = 0;

  function enqueue(network: string, waiting: Waiting): void {
    const own = queues.get(network) ?? [];
    if (waitingCount >= maxWaiting) {
      const longest = [...queues.values()].reduce(
        (most, queue) => (queue.length > most.length ? queue : most),
        own,
      );
      if (longest.length <= own.length + 1) {
        waiting.reject(full());
        return;
      }
      longest.pop()?.reject(full());
      waitingCount--;
    }
    own.push(waiting);
    queues.set(network, own);
    waitingCount++;
  }

  function dequeue(): Waiting | undefined {
    const [next] = queues;
    if (next === undefined) return undefined;
    const [network, queue] = next;
    queues.delete(network);
    const waiting = queue.shift();
    if (queue.length > 0) queues.set(network, queue);
    waitingCount--;
    return waiting;
  }

  return async function run<Result>(network: string, work: () => Promise<Result>): Promise<Result> {
    if (running < maxRunning) running++;
    // The one that ends hands its slot over, so `running` stays.
    else await new Promise<void>((start, reject) => enqueue(network, { start, reject }));
    try {
      return await work();
    } finally {
      const next = dequeue();
      if (next === undefined) running--;
      else next.start();
    }
  };
}

function full(): ApiError {
  return new ApiError('unavailable', 'Too many concurrent sign-ins. Try again.');
}
