import type { Locator, Page } from 'playwright-core';

/** Long enough for a response, whose own deadline passes by the clock of the page. */
const RESPONSE_MS = 3_000;
const MOST_JUMPS = 12;

/** Lets time pass on the page, whose clock is installed, until it shows something: ten seconds, then a response. */
export async function passTimeUntil(page: Page, shown: Locator): Promise<void> {
  const isShown = () =>
    shown
      .first()
      .waitFor({ timeout: RESPONSE_MS })
      .then(
        () => true,
        () => false,
      );
  for (let jumps = 0; jumps < MOST_JUMPS; jumps += 1) {
    await page.clock.fastForward(10_000);
    if (await isShown()) return;
  }
  await shown.first().waitFor();
}
