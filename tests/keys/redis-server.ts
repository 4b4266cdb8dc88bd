import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { vi } from 'vitest';
import { cacheDir } from '../../libs/local-stack/src/config.ts';
import { mavenArtifacts } from '../../libs/local-stack/src/engines/maven-artifacts.ts';
import { findRedisServer } from '../../libs/local-stack/src/engines/redis.ts';
import { unusedPorts } from '../../libs/local-stack/src/ports.ts';

/** A Redis of a test's own, in memory. */
export async function startRedisServer(
  ...options: string[]
): Promise<{ url: string; stop(): Promise<void> }> {
  const { redisDir } = await mavenArtifacts(cacheDir(), (_, work) => work());
  const [port = 0] = await unusedPorts(1);
  const program = await findRedisServer(process.env, redisDir);
  const child = spawn(
    program,
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...options],
    { stdio: 'ignore' },
  );
  const url = `redis://127.0.0.1:${port}`;
  const probe = new Redis(url, { maxRetriesPerRequest: null });
  probe.on('error', () => undefined);
  await vi.waitFor(() => probe.ping(), { timeout: 20_000 });
  probe.disconnect();
  return {
    url,
    async stop() {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}
