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
 * One set of real engines for all integration tests of a run: processes of this machine, or with
 * TEST_ENGINES=containers the images of docker-compose.yml. CELLARMAN_ENGINES may name a JSON file with the URLs
 * of engines that run already (`node libs/local-stack/src/engines.ts --write FILE`).
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const running = process.env['CELLARMAN_ENGINES'];
  if (running !== undefined && running !== '') {
    project.provide('engines', JSON.parse(await readFile(running, 'utf8')) as EngineUrls);
    return undefined;
  }
  const kind = process.env['TEST_ENGINES'] ?? 'processes';
  if (kind !== 'processes' && kind !== 'containers') {
    throw new Error(`TEST_ENGINES is processes or containers, not ${kind}`);
  }
  if (kind === 'containers') {
    // Loaded for this alone.
    const { startContainerEngines } = await import('./container-engines.ts');
    const containers = await startContainerEngines();
    project.provide('engines', containers.urls);
    return containers.stop;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'cellarman-test-'));
  const engines = await startEngines({ dataDir });
  project.provide('engines', engines.urls);
  return async () => {
    await engines.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
