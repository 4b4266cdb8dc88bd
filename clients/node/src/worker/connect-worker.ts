import type { Worker } from 'node:worker_threads';
import { ClientError } from '../client-error.ts';
import type { Problem } from '../options.ts';
import type { Reply, Request } from './messages.ts';

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

export interface WorkerConnection {
  request(request: WithoutId<Request>): Promise<unknown>;
  terminate(): Promise<void>;
}

/**
 * Resolves when the spool is open.
 *
 * @throws {ClientError} why it could not be opened
 */
export async function connectWorker(
  worker: Worker,
  onProblem: (problem: Problem) => void,
): Promise<WorkerConnection> {
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  let failure: ClientError | undefined;
  let lastId = 0;

  function expectReply(id: number): Promise<unknown> {
    const reply = Promise.withResolvers<unknown>();
    open.set(id, reply);
    return reply.promise;
  }

  worker.on('message', (reply: Reply) => {
    if ('problem' in reply) {
      onProblem(reply.problem);
      return;
    }
    const waiting = open.get(reply.id);
    open.delete(reply.id);
    if ('error' in reply) waiting?.reject(new ClientError(reply.error.code, reply.error.message));
    else waiting?.resolve(reply.result);
  });
  worker.on('error', (cause) => {
    failure = new ClientError('spool_failed', `the client failed: ${String(cause)}`, { cause });
    for (const { reject } of open.values()) reject(failure);
    open.clear();
  });

  try {
    await expectReply(0);
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  return {
    async request(request) {
      if (failure !== undefined) throw failure;
      const id = ++lastId;
      worker.postMessage({ id, ...request });
      return expectReply(id);
    },
    async terminate() {
      await worker.terminate();
    },
  };
}
