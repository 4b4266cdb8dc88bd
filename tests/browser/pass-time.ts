import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Lets time pass on the page, whose clock is installed, until it shows something. */
export async function passTimeUntil(page: Page, shown: Locator): Promise<void> {
  const isShown = async () => {
    await page.clock.fastForward(10_000);
    return shown.count();
  };
  await expect.poll(isShown, { timeout: 30_000, interval: 250 }).toBeGreaterThan(0);
}
