import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { unusedPorts } from '@cellarman/local-stack';

const ROOT = join(import.meta.dirname, '..', '..');

export type ServiceName = 'ingest' | 'key-service' | 'query' | 'sink';

/** A service in a process of its own, with TLS. */
export interface Service {
  url: string;
  /** What it has logged, line by line. */
  log(): string[];
  /** Whether it runs. */
  isRunning(): boolean;
  /** @returns its exit code */
  stop(): Promise<number | null>;
}

export type Environment = Readonly<Record<string, string>>;

export async function startService(service: ServiceName, environment: Environment): Promise<Service> {
  const { PORT = String((await unusedPorts(1))[0]) } = environment;
  const { child, words, ended } = run([`services/${service}/src/main.ts`], { ...environment, PORT });
  return {
    url: `https://localhost:${PORT}`,
    log: () => words().split('\n'),
    isRunning: () => child.exitCode === null,
    async stop() {
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(killer);
      return child.exitCode;
    },
  };
}

export async function migrateStorage(environment: Environment): Promise<void> {
  const { child, words, ended } = run(['services/sink/src/main.ts', 'migrate'], environment);
  await ended;
  if (child.exitCode !== 0) throw new Error(`the sink cannot migrate:\n${words()}`);
}

function run(args: readonly string[], environment: Environment) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { PATH, NODE_COMPILE_CACHE, ...environment },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, words: () => text, ended: once(child, 'close') };
}
