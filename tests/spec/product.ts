import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startProduct } from '@cellarman/local-stack';
import type { RunFile } from '@cellarman/local-stack';
import type { TestProject } from 'vitest/node';
import { serveChromium } from '../browser/chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    product: RunFile;
    /** Where the product keeps everything; its logs are in `logs`. */
    productDataDir: string;
    /** Where the browser listens that the tests of the dashboard share. Undefined: this machine has none. */
    chromium: string | undefined;
  }
}

/**
 * The whole product, started once for all tests of the specification and of the dashboard. CELLARMAN_RUN may name the run.json of one that
 * runs already: the tests make their own cellars and keys, so they can be run against it again and again.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void> | undefined> {
  const chromium = await serveChromium();
  project.provide('chromium', chromium?.wsEndpoint());
  const running = process.env['CELLARMAN_RUN'];
  if (running !== undefined && running !== '') {
    project.provide('product', JSON.parse(await readFile(running, 'utf8')) as RunFile);
    project.provide('productDataDir', dirname(running));
    return () => chromium?.close();
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'cellarman-spec-'));
  const product = await startProduct({
    dataDir,
    ports: 'free',
    env: {
      // Tests wait for the date of last use, and for rejections on a page.
      ingest: { LAST_USED_INTERVAL_MS: '200', REJECTIONS_INTERVAL_MS: '200' },
      'key-service': { ALERTS_INTERVAL_SECONDS: '1' },
      // Some tests insert rows as if they were received within the last hour. The topic lacks them: if that hour were verified
      // now, an alert would fire.
      sink: { COUNTS_SETTLE_DELAY_SECONDS: '7200' },
      // A query of a test needs more than this, which is the minimum.
      query: { QUERY_MAX_MEMORY_BYTES: String(16 * 1024 * 1024) },
    },
  });
  project.provide('product', product.run());
  project.provide('productDataDir', dataDir);
  return async () => {
    await chromium?.close();
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
