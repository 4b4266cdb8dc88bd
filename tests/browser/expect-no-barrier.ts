import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findBarriers } from './find-barriers.ts';

const IS_TOO_WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

/** Expects no accessibility violation and no horizontal scrolling. */
export async function expectNoBarrier(page: Page, what: string): Promise<void> {
  expect(await findBarriers(page), what).toEqual([]);
  expect(await page.evaluate(IS_TOO_WIDE), `${what} is wider than the screen`).toBe(false);
}

const LOOKS = [
  ['light', 390],
  ['dark', 1280],
  ['dark', 390],
  ['light', 1280],
] as const;
/** For pages whose parts other tests see in all four. */
export const TWO_LOOKS = LOOKS.slice(2);

/** The same in light and dark colours, on a phone and on a desktop. Ends in light colours on a desktop. */
export async function expectNoBarrierAnywhere(page: Page, what: string, looks = [...LOOKS]): Promise<void> {
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const message = `${what}, ${colorScheme} at ${width} pixels`;
    // The other colour scheme fades in, and charts take their new size.
    await expect.poll(() => findBarriers(page), { timeout: 30_000, message }).toEqual([]);
    await expect.poll(() => page.evaluate(IS_TOO_WIDE), { message: `${message} is too wide` }).toBe(false);
  }
}
