import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest';
import { chromiumPath, NO_CHROMIUM } from './chromium.ts';
import { openStage } from './stage.ts';
import type { Stage } from './stage.ts';

// eslint-disable-next-line no-console -- a developer should know why these are skipped
if (chromiumPath === undefined) console.log(NO_CHROMIUM);

/**
 * Registers tests that run in a browser of their own, on the product that all tests of this project share.
 * Fails each test after which the browser has reported a script error or a violation of the content security policy.
 */
export function describeDashboard(title: string, tests: (onStage: () => Stage) => void): void {
  describe.skipIf(chromiumPath === undefined)(title, () => {
    let stage: Stage;

    beforeAll(async () => {
      stage = await openStage({ run: inject('product'), dataDir: inject('productDataDir') });
    });
    afterAll(() => stage.close());
    afterEach(() => expect(stage.takeComplaints()).toEqual([]));

    tests(() => stage);
  });
}
