import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A client in a process of its own. It reads one JSON command per line, and writes one JSON reply per line. */
export interface Driver {
  pid: number;
  /** Rejects when the process ends before it has replied. */
  send(command: object): Promise<Reply>;
  /** SIGKILL. Resolves when the process is gone. */
  kill: () => Promise<void>;
}
export interface Reply {
  ok?: unknown;
  error?: string;
}

export function startDriver([command = '', ...args]: readonly string[]): Driver {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: PromiseWithResolvers<Reply>[] = [];
  const exited = once(child, 'exit');
  createInterface({ input: child.stdout }).on('line', (line) => {
    waiting.shift()?.resolve(JSON.parse(line) as Reply);
  });
  // Not on exit: replies may still be in the pipe.
  child.on('close', () => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`${command} ended before it replied`));
  });
  // It may be gone; `close` reports that.
  child.stdin.on('error', () => undefined);
  return {
    pid: child.pid ?? 0,
    send(message) {
      const reply = Promise.withResolvers<Reply>();
      waiting.push(reply);
      child.stdin.write(`${JSON.stringify(message)}\n`);
      return reply.promise;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
