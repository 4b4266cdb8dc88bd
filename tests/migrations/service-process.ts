import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { HOST, unusedPorts } from '@cellarman/local-stack';
import type { Version } from './version-before.ts';

export type ServiceName = 'ingest' | 'key-service' | 'query' | 'sink';
type Environment = Readonly<Record<string, string>>;

/** A service of some version in a process of its own. */
export interface ServiceProcess {
  url: string;
  /** Resolves when `/readyz` says so. */
  ready(): Promise<void>;
  /** What `/readyz` says. */
  readiness(): Promise<{ status: number; text: string }>;
  /** All that it has written. */
  output(): string;
  stop(): Promise<void>;
}

const START_DEADLINE_MS = 120_000;

export async function startService(
  { name, directory }: Version,
  service: ServiceName,
  env: Environment,
): Promise<ServiceProcess> {
  const [port = 0] = await unusedPorts(1);
  const url = `http://${HOST}:${port}`;
  const { child, output, ended } = run(directory, [`services/${service}/src/main.ts`], {
    ...env,
    HOST,
    PORT: String(port),
  });
  const readiness = async (): Promise<{ status: number; text: string }> => {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
    return { status: answer.status, text: await answer.text() };
  };
  return {
    url,
    readiness,
    output,
    async ready() {
      const deadline = Date.now() + START_DEADLINE_MS;
      for (;;) {
        const { status, text } = await readiness().catch((error: unknown) => ({
          status: 0,
          text: String(error),
        }));
        if (status === 200) return;
        if (child.exitCode !== null || Date.now() > deadline) {
          throw new Error(`${service} of ${name} is not ready: ${text}\n${output()}`);
        }
        await delay(50);
      }
    },
    async stop() {
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), 20_000);
      await ended;
      clearTimeout(killer);
    },
  };
}

/** Brings the tables of a service to what its version needs. */
export async function migrate(
  { name, directory }: Version,
  service: 'key-service' | 'sink',
  env: Environment,
): Promise<void> {
  const { child, output, ended } = run(directory, [`services/${service}/src/main.ts`, 'migrate'], env);
  await ended;
  if (child.exitCode !== 0) throw new Error(`${service} of ${name} cannot migrate:\n${output()}`);
}

function run(directory: string, args: readonly string[], env: Environment) {
  // What several versions have in common is compiled once.
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, args, { cwd: directory, env: { PATH, NODE_COMPILE_CACHE, ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, output: () => text, ended: once(child, 'close') };
}
