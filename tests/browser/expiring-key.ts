import { expect, test, vi } from 'vitest';
import { toLocalField } from '../../services/dashboard/src/keys/expiry-choice.ts';
import { sendReading } from './send-reading.ts';
import type { Stage } from './stage.ts';
import { createCellar, createKey, store } from './steps.ts';
import type { Page } from 'playwright-core';

const MINUTE_MS = 60_000;
/** The first test must be through before the key expires. */
const AT_LEAST_MS = 20_000;

/** What the second test needs to know of the first. */
let expiring: { page: Page; cellar: string; apiKey: string } | undefined;

/**
 * A minute is the finest that can be chosen, so the other tests of the dashboard go between choosing it and its coming.
 */
export function chosenExpiryTest(onStage: () => Stage): void {
  test('a key can be given the minute in which it expires, and works until then', async () => {
    const stage = onStage();
    const page = await stage.signedIn();
    const cellar = await createCellar(page);
    const apiKey = await createKey(page, 'test rig');
    await store(page);

    await changeExpiry(page);
    await page.getByLabel('Expires').selectOption({ label: 'On a date …' });
    const minute = Math.ceil((Date.now() + AT_LEAST_MS) / MINUTE_MS) * MINUTE_MS;
    await page.getByLabel('Date and time').fill(toLocalField(new Date(minute)));
    await page.getByRole('button', { name: 'Change expiry' }).click();
    await page.getByText('test rig now expires on').waitFor();
    await page.getByRole('cell', { name: /^in \d+ (s|min)$/ }).waitFor();
    expect(await sendReading(stage.run, { cellar, apiKey })).toMatchObject({ status: 200 });
    expiring = { page, cellar, apiKey };
  });
}

export function comeExpiryTest(onStage: () => Stage): void {
  test('a key whose minute has come is refused, and works again with a later one', async () => {
    if (expiring === undefined) throw new Error('No key was given an expiry');
    const { page, cellar, apiKey } = expiring;
    const { run } = onStage();
    const send = () => sendReading(run, { cellar, apiKey });
    await vi.waitFor(
      async () =>
        expect(await send()).toEqual({ status: 401, body: { error: 'API key has expired', status: 401 } }),
      { timeout: MINUTE_MS + AT_LEAST_MS + 10_000, interval: 200 },
    );
    await page.getByText('Expired', { exact: true }).first().click();
    await page.getByRole('cell', { name: 'test rig', exact: true }).waitFor();

    await changeExpiry(page);
    await page.getByLabel('Expires').selectOption({ label: 'In 7 days' });
    await page.getByRole('button', { name: 'Change expiry' }).click();
    await page.getByRole('cell', { name: 'test rig', exact: true }).waitFor({ state: 'detached' });
    await vi.waitFor(async () => expect(await send()).toMatchObject({ status: 200 }), {
      timeout: 20_000,
      interval: 100,
    });
  });
}

async function changeExpiry(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More for test rig' }).click();
  await page.getByRole('menuitem', { name: 'Change expiry' }).click();
}
