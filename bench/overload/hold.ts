import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { HeldOptions, HeldReport } from './held-connections.ts';

/** Holds connections open in a process of its own while `work` runs. */
export async function whileHolding<T>(
  options: HeldOptions,
  work: () => Promise<T>,
): Promise<{ result: T; held: HeldReport }> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'held-connections.ts'), JSON.stringify(options)],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  try {
    await lines.next();
    const result = await work();
    child.stdin.write('end\n');
    const { value } = await lines.next();
    return { result, held: JSON.parse(String(value)) as HeldReport };
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

/** A new one for each call, so that no port is one that was used a moment ago. */
export function createLoopbackAddresses(): () => string {
  let last = 1;
  return () => `127.0.0.${++last}`;
}
