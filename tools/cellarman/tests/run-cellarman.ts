import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { vi } from 'vitest';

const MAIN = join(import.meta.dirname, '../src/main.ts');

export type Environment = Record<string, string>;

export interface RunningCellarman {
  child: ChildProcess;
  /** What it has written so far. */
  stdout: () => string;
  stderr: () => string;
  /** null: it was killed. */
  exit: Promise<number | null>;
}

/** The command as an operator starts it, with nothing of this environment but the PATH. */
export function startCellarman(args: readonly string[], env: Environment, input?: string): RunningCellarman {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], { env: { PATH, NODE_COMPILE_CACHE, ...env } });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => (written[name] += chunk.toString()));
  child.stdin.end(input ?? '');
  return {
    child,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    exit: once(child, 'close').then(([code]) => code as number | null),
  };
}

export async function runCellarman(args: readonly string[], env: Environment, input?: string) {
  const running = startCellarman(args, env, input);
  const code = await running.exit;
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}

export async function untilItSays(running: RunningCellarman, text: string): Promise<void> {
  await vi.waitFor(
    () => {
      if (!running.stderr().includes(text) && !running.stdout().includes(text))
        throw new Error(`it does not say ${text}: ${running.stderr()}`);
    },
    { timeout: 30_000, interval: 50 },
  );
}

/** A service token, which only a person who is signed in can make. */
export async function createServiceToken(
  url: string,
  admin: { email: string; password: string },
  fields: object = { role: 'owner' },
): Promise<{ id: string; secret: string }> {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const signedIn = await post('/api/v1/session', admin);
  const [cookie = ''] = signedIn.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const answer = await post('/api/v1/tokens', { name: 'cellarman', ...fields }, { cookie });
  if (answer.status !== 201) throw new Error(`no service token: ${await answer.text()}`);
  const { token, secret } = (await answer.json()) as { token: { id: string }; secret: string };
  return { id: token.id, secret };
}
