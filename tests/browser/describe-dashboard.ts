import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest';
import { chromiumPath, NO_CHROMIUM } from './chromium.ts';
import { openHarness } from './harness.ts';
import type { Harness } from './harness.ts';

// eslint-disable-next-line no-console -- a developer should know why these are skipped
if (chromiumPath === undefined) console.log(NO_CHROMIUM);

/**
 * Registers tests that run in a browser of their own, on the product that all tests of this project share.
 * Fails each test after which the browser has reported a script error or a violation of the content security policy.
 */
export function describeDashboard(title: string, tests: (onHarness: () => Harness) => void): void {
  describe.skipIf(chromiumPath === undefined)(title, () => {
    let harness: Harness;

    beforeAll(async () => {
      harness = await openHarness({ run: inject('product'), dataDir: inject('productDataDir') });
    });
    afterAll(() => harness.close());
    afterEach(() => expect(harness.takeComplaints()).toEqual([]));

    tests(() => harness);
  });
}
