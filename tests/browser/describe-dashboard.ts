import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '@cellarman/local-stack';
import type { RunFile, StartProductOptions } from '@cellarman/local-stack';
import { chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest';
import { chromiumPath, NO_CHROMIUM } from './chromium.ts';
import { openHarness } from './harness.ts';
import type { Harness } from './harness.ts';

// eslint-disable-next-line no-console -- a developer should know why these are skipped
if (chromiumPath === undefined) console.log(NO_CHROMIUM);

interface BrowsedProduct {
  run: RunFile;
  /** Where the product keeps everything; its logs are in `logs`. */
  dataDir: string;
  stop(): Promise<void>;
}

/** The product that all tests of this project share. */
function sharedProduct(): BrowsedProduct {
  return { run: inject('product'), dataDir: inject('productDataDir'), stop: () => Promise.resolve() };
}

/** A product of its own, for tests that need an empty topic. */
export async function ownProduct(env: StartProductOptions['env'] = {}): Promise<BrowsedProduct> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cellarman-browser-'));
  const product = await startProduct({ dataDir, ports: 'free', env });
  const stop = async () => {
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { run: product.run(), dataDir, stop };
}

/**
 * Registers tests that run in a browser of their own, on the shared product or another one.
 * Fails each test after which the browser has reported a script error or a violation of the content security policy.
 */
export function describeDashboard(
  title: string,
  tests: (onHarness: () => Harness) => void,
  openProduct: () => BrowsedProduct | Promise<BrowsedProduct> = sharedProduct,
): void {
  describe.skipIf(chromiumPath === undefined)(title, () => {
    let product: BrowsedProduct;
    let harness: Harness;

    beforeAll(async () => {
      product = await openProduct();
      const shared = inject('chromium');
      harness = await openHarness(product, shared === undefined ? undefined : chromium.connect(shared));
    });
    afterAll(async () => {
      await harness.close();
      await product.stop();
    });
    afterEach(async () => {
      await harness.closePages();
      expect(harness.takeComplaints()).toEqual([]);
    });

    tests(() => harness);
  });
}
