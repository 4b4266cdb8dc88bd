import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { unusedPorts } from '@cellarman/local-stack';

const ROOT = join(import.meta.dirname, '..', '..');

export interface Canary {
  url: string;
  /** What it has logged so far. */
  log(): string;
  stop(): Promise<void>;
}

/** The canary as a process of its own, like in production. */
export async function startCanary(
  environment: Record<string, string>,
  onSpawn?: (pid: number) => void,
): Promise<Canary> {
  const [port = 0] = await unusedPorts(1);
  const child = spawn(process.execPath, ['services/canary/src/main.ts'], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid !== undefined) onSpawn?.(child.pid);
  let words = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const exited = once(child, 'exit');
  return {
    url: `${environment['TLS_CERT_FILE'] === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    log: () => words,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
