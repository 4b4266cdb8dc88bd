import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngines } from '@cellarman/local-stack';
import type { EngineUrls } from '@cellarman/local-stack';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    engines: EngineUrls;
  }
}

/**
 * One set of real engines for all integration tests of a run. CELLARMAN_ENGINES may name a JSON file with the
 * addresses of engines that run already (`node libs/local-stack/src/engines.ts --write FILE`).
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const running = process.env['CELLARMAN_ENGINES'];
  if (running !== undefined && running !== '') {
    project.provide('engines', JSON.parse(await readFile(running, 'utf8')) as EngineUrls);
    return undefined;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'cellarman-test-'));
  const engines = await startEngines({ dataDir });
  project.provide('engines', engines.urls);
  return async () => {
    await engines.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
