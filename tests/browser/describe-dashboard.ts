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

/** The files run one after the other in one process, so that all of them have one browser. */
let shared: Promise<Harness> | undefined;

/** A harness on the product that all tests of this project share. It closes with the browser, after all files. */
async function sharedHarness(): Promise<Harness> {
  const url = inject('chromium');
  const product = { run: inject('product'), dataDir: inject('productDataDir') };
  shared ??= openHarness(product, url === undefined ? undefined : chromium.connect(url));
  const harness = await shared;
  harness.forgetSession();
  return { ...harness, close: () => Promise.resolve() };
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
  openProduct?: () => Promise<BrowsedProduct>,
): void {
  describe.skipIf(chromiumPath === undefined)(title, () => {
    let product: BrowsedProduct | undefined;
    let harness: Harness;

    beforeAll(async () => {
      product = await openProduct?.();
      harness = product === undefined ? await sharedHarness() : await openHarness(product);
    });
    afterAll(async () => {
      await harness.close();
      await product?.stop();
    });
    afterEach(async () => {
      await harness.closePages();
      expect(harness.takeComplaints()).toEqual([]);
    });

    tests(() => harness);
  });
}
