import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '@cellarman/local-stack';

const MAIN = join(import.meta.dirname, '../../services/sink/src/main.ts');

export interface SinkProcess {
  pid: number;
  stop(): Promise<void>;
}

/** Makes the topics and tables that `env` names. */
export async function migrate(env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'migrate'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`sink migrate ended with ${code ?? 'a signal'}`);
}

/** A sink of its own, apart from the local stack. Resolves when the group has given it its partitions. */
export async function startSink(env: NodeJS.ProcessEnv, port: number): Promise<SinkProcess> {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...env, PORT: String(port), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exited = once(child, 'exit');
  process.stdout.write(`process id: ${child.pid ?? 0}\n`);
  await until('the sink is ready', async () => {
    if (child.exitCode !== null) throw new Error(`the sink ended with ${child.exitCode}`);
    return fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
