import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unusedPorts } from '@cellarman/local-stack';
import type { RunFile } from '@cellarman/local-stack';
import type { Baseline } from './candidate.ts';
import { poll } from './poll.ts';

const CHECKOUT = join(import.meta.dirname, '..', '..');

/** One more replica of ingest beside that of the product, like it but for these variables. */
export async function startAnotherIngest(
  run: RunFile,
  name: string,
  variables: Readonly<Record<string, string>>,
): Promise<Baseline> {
  const [port = 0] = await unusedPorts(1);
  const env = { ...(await environmentOf(run.processes['ingest']?.[0] ?? 0)), ...variables };
  const child = spawn(process.execPath, ['services/ingest/src/main.ts'], {
    cwd: CHECKOUT,
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await poll(`ingest ${name} is ready`, 20_000, async () => (await fetch(`${url}/readyz`)).ok);
  return {
    ...{ name, url, pid: child.pid ?? 0, ...run.demo },
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The environment that a process was started with, secrets included. */
async function environmentOf(pid: number): Promise<Record<string, string>> {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8');
  const lines = text.split('\0').filter((line) => line.includes('='));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
