import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '@cellarman/local-stack';

const MAIN = join(import.meta.dirname, '../../../services/key-service/src/main.ts');

export interface KeyServiceProcess {
  url: string;
  exit: Promise<unknown>;
  stop(): Promise<void>;
}

/** key-service on a free port. Resolves when it listens, or has migrated. */
export async function startKeyService(
  env: NodeJS.ProcessEnv,
  command?: 'migrate',
): Promise<KeyServiceProcess> {
  const child = spawn(process.execPath, [MAIN, ...(command === undefined ? [] : [command])], {
    env: { HOST: '127.0.0.1', PORT: '0', DEREGISTRATION_DELAY_MS: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const urlOf = () => /"url":"(http:[^"]+)"/.exec(output)?.[1];
  if (command === undefined) {
    await until('key-service listens', () => {
      if (child.exitCode !== null) throw new Error(`key-service ended: ${output}`);
      return Promise.resolve(urlOf() !== undefined);
    });
  }
  return {
    url: urlOf() ?? '',
    exit,
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
  };
}
