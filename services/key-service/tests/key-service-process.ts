import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { vi } from 'vitest';

const MAIN = join(import.meta.dirname, '../src/main.ts');

/** key-service as a process of its own, which can be killed. */
export interface KeyServiceProcess {
  child: ChildProcess;
  output: () => string;
  /** Once it listens. */
  url: () => Promise<string>;
  exit: Promise<number | null>;
}

export function run(env: Record<string, string>, ...args: string[]): KeyServiceProcess {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], { env: { PATH, NODE_COMPILE_CACHE, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    child,
    output: () => output,
    url: () =>
      vi.waitFor(
        () => {
          const url = /"url":"(http:[^"]+)"/.exec(output)?.[1];
          if (url === undefined) throw new Error(`it does not listen yet: ${output}`);
          return url;
        },
        { timeout: 60_000, interval: 50 },
      ),
    exit: once(child, 'exit').then(([code]) => code as number | null),
  };
}
