/** SQLite and `fsync` block, so the spool and the sender have a thread of their own. */
import { parentPort, workerData } from 'node:worker_threads';
import { ClientError } from '../client-error.ts';
import { startSender } from '../send/sender.ts';
import type { Sender } from '../send/sender.ts';
import { openSpool } from '../spool/spool.ts';
import type { Spool } from '../spool/spool.ts';
import type { Problem, Settings } from '../options.ts';
import type { Group, Reply, Request } from './messages.ts';

const settings = workerData as Settings;
const reply = (message: Reply): void => parentPort?.postMessage(message);
const onProblem = (problem: Problem): void => reply({ problem });
const problemOf = (code: string, message: string): Problem => ({
  code,
  message,
  at: new Date().toISOString(),
});

function start(): void {
  const spool = openSpool({
    path: settings.spool,
    maxBytes: settings.maxBytes,
    dropsOldest: settings.onFull === 'drop-oldest',
    onBroken: ({ message }) =>
      onProblem(problemOf('broken_file', `${settings.spool} is broken and was renamed: ${message}`)),
  });
  const sender = startSender(spool, settings, onProblem);
  let overflowed = 0;

  function add({ bodies, counts, isBackfill }: Group): boolean[] {
    let from = 0;
    const { dropped } = spool.counters();
    const lists = counts.map((count, index) => ({
      bodies: bodies.slice(from, (from += count)),
      isBackfill: isBackfill[index] ?? false,
    }));
    const stored = spool.add(lists);
    for (const [index, list] of lists.entries()) if (stored[index] !== true) overflowed += list.bodies.length;
    const droppedNow = spool.counters().dropped - dropped;
    if (droppedNow > 0)
      onProblem(problemOf('dropped', `${droppedNow} readings were dropped: the spool is full`));
    sender.notify();
    return stored;
  }

  function execute(request: Request): unknown {
    if ('group' in request) return add(request.group);
    if ('closeAfterMs' in request) return close(spool, sender, request.closeAfterMs);
    if (request.call === 'setAside') return spool.setAside();
    if (request.call === 'status') return { ...spool.status(), ...sender.status(), overflowed };
    const count = spool.requeue();
    sender.notify();
    return count;
  }

  parentPort?.on('message', (request: Request) => {
    const { id } = request;
    // A promise, also when it throws.
    Promise.resolve(request)
      .then(execute)
      .then(
        (result) => reply({ id, result }),
        (error: unknown) => replyError(id, error),
      );
  });
  reply({ id: 0, result: true });
}

async function close(spool: Spool, sender: Sender, deadlineMs: number): Promise<{ waiting: number }> {
  await sender.close(deadlineMs);
  const { waiting } = spool.counters();
  spool.close();
  return { waiting };
}

function replyError(id: number, error: unknown): void {
  const { code, message } =
    error instanceof ClientError ? error : new ClientError('spool_failed', String(error));
  reply({ id, error: { code, message } });
}

try {
  start();
} catch (error) {
  replyError(0, error);
}
