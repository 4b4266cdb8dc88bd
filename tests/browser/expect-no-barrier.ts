import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findBarriers } from './find-barriers.ts';

const IS_TOO_WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

/** Expects no accessibility violation and no horizontal scrolling. */
export async function expectNoBarrier(page: Page, what: string): Promise<void> {
  expect(await findBarriers(page), what).toEqual([]);
  expect(await page.evaluate(IS_TOO_WIDE), `${what} is wider than the screen`).toBe(false);
}
