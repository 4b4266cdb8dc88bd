export interface LimitedRequest {
  /** Whose share of the slots it counts towards. */
  owner: string;
  /** Ends the wait for a slot. */
  signal?: AbortSignal;
}

export interface LimiterOptions<Request extends LimitedRequest> {
  /** Slots: work that runs concurrently. */
  running: number;
  /** Slots of one owner. @default all */
  runningPerOwner?: number;
  /** Requests that may wait for a slot. @default any number */
  waiting?: number;
  /** Of them, those of one owner. @default all */
  waitingPerOwner?: number;
  /** How long a request may wait. @default as long as it takes */
  waitMs?: number;
  /** A further condition for a slot. */
  admits?: (request: Request, running: ReadonlySet<Request>) => boolean;
  /** When the queue is full, the owner with the longest queue loses its newest request, so that no owner keeps others out. */
  evicts?: boolean;
  /** The error of a request that cannot wait. */
  full?: () => Error;
}

/** Limits concurrent work. Waiting requests get a slot round-robin by owner, and in order of arrival for one owner. */
export interface Limiter<Request extends LimitedRequest> {
  /** Resolves with a function that releases the slot; it may be called twice. */
  acquire: (request: Request) => Promise<() => void>;
  /** Does the work in a slot. */
  run: <Result>(request: Request, work: () => Promise<Result>) => Promise<Result>;
  running: () => number;
  waiting: () => number;
}

interface Waiter<Request> {
  request: Request;
  start: () => void;
  reject: (error: Error) => void;
}

export function createLimiter<Request extends LimitedRequest>(
  options: LimiterOptions<Request>,
): Limiter<Request> {
  const { runningPerOwner = Infinity, waitingPerOwner = Infinity, waitMs, admits = () => true } = options;
  const { full = () => new Error('too many requests are waiting') } = options;
  const running = new Set<Request>();
  const slotsOf = new Map<string, number>();
  /** The order of the map is that in which the owners are served. */
  const queues = new Map<string, Set<Waiter<Request>>>();
  let waiting = 0;

  function canStart(request: Request): boolean {
    const own = slotsOf.get(request.owner) ?? 0;
    return running.size < options.running && own < runningPerOwner && admits(request, running);
  }

  function start(request: Request): () => void {
    const slot = { ...request };
    running.add(slot);
    slotsOf.set(slot.owner, (slotsOf.get(slot.owner) ?? 0) + 1);
    return () => {
      if (!running.delete(slot)) return;
      const own = (slotsOf.get(slot.owner) ?? 1) - 1;
      if (own === 0) slotsOf.delete(slot.owner);
      else slotsOf.set(slot.owner, own);
      startNext();
    };
  }

  /** A released slot admits at most one request. */
  function startNext(): void {
    for (const [owner, queue] of queues) {
      for (const next of queue) {
        if (!canStart(next.request)) continue;
        queues.delete(owner);
        queues.set(owner, queue);
        next.start();
        return;
      }
    }
  }

  function enqueue(waiter: Waiter<Request>): void {
    const { owner } = waiter.request;
    const own = queues.get(owner) ?? new Set();
    if (own.size >= waitingPerOwner) throw full();
    if (waiting >= (options.waiting ?? Infinity)) {
      const longest = [...queues.values()].reduce((a, b) => (b.size > a.size ? b : a), own);
      if (options.evicts !== true || longest.size <= own.size + 1) throw full();
      [...longest].at(-1)?.reject(full());
    }
    own.add(waiter);
    queues.set(owner, own);
    waiting++;
  }

  function dequeue(waiter: Waiter<Request>): void {
    const { owner } = waiter.request;
    const own = queues.get(owner);
    own?.delete(waiter);
    if (own?.size === 0) queues.delete(owner);
    waiting--;
  }

  function wait(request: Request): Promise<() => void> {
    const { signal } = request;
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        dequeue(waiter);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        settle();
      };
      const waiter: Waiter<Request> = {
        request,
        start: () => end(() => resolve(start(request))),
        reject: (error) => end(() => reject(error)),
      };
      enqueue(waiter);
      const onAbort = () => waiter.reject(signal?.reason as Error);
      signal?.addEventListener('abort', onAbort);
      const timer = waitMs === undefined ? undefined : setTimeout(() => waiter.reject(full()), waitMs);
    });
  }

  async function acquire(request: Request): Promise<() => void> {
    request.signal?.throwIfAborted();
    return canStart(request) ? start(request) : wait(request);
  }

  return {
    acquire,
    async run(request, work) {
      const release = await acquire(request);
      try {
        return await work();
      } finally {
        release();
      }
    },
    running: () => running.size,
    waiting: () => waiting,
  };
}
