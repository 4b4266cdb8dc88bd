import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { toLocalField } from '../../services/dashboard/src/keys/expiry-choice.ts';
import { describeDashboard } from './describe-dashboard.ts';
import { sendReading } from './send-reading.ts';
import { newSender } from './sender.ts';

const MINUTE_MS = 60_000;

describeDashboard('expiry of an API key', (onHarness) => {
  test('a key gets the minute in which it expires, and works until then', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const { cellar, apiKey } = await newSender(page, 'test rig');
    await page.goto(`/cellars/${cellar}/keys`);

    await changeExpiry(page);
    await page.getByLabel('Expires').selectOption({ label: 'Custom date…' });
    const minute = Math.ceil(Date.now() / MINUTE_MS + 5) * MINUTE_MS;
    await page.getByLabel('Date and time').fill(toLocalField(new Date(minute)));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Key “test rig” updated').waitFor();
    await page.getByRole('cell', { name: /^in \d+ min$/ }).waitFor();
    const [key] = await keysOf(page, cellar);
    expect(key?.expiresAt).toBe(new Date(minute).toISOString());
    expect(await sendReading(harness.run, { cellar, apiKey })).toMatchObject({ status: 200 });
  });

  test('an expired key is rejected, and works again with a later expiry', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const { cellar, apiKey } = await newSender(page, 'test rig');
    await page.goto(`/cellars/${cellar}/keys`);
    const send = () => sendReading(harness.run, { cellar, apiKey });
    const [key] = await keysOf(page, cellar);
    // The dialog offers minutes. The API takes the next second, and no test has to wait for a minute.
    const expired = await page.request.patch(`/api/v1/cellars/${cellar}/keys/${key?.id ?? ''}`, {
      data: { expiresAt: new Date(Date.now() + 1_000).toISOString() },
    });
    expect(expired.status()).toBe(200);
    await vi.waitFor(
      async () =>
        expect(await send()).toEqual({ status: 401, body: { error: 'API key has expired', status: 401 } }),
      { timeout: 20_000, interval: 100 },
    );
    await page.reload();
    await page.getByText('Expired', { exact: true }).first().click();
    await page.getByRole('cell', { name: 'test rig', exact: true }).waitFor();

    await changeExpiry(page);
    await page.getByLabel('Expires').selectOption({ label: 'In 7 days' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'test rig', exact: true }).waitFor({ state: 'detached' });
    await vi.waitFor(async () => expect(await send()).toMatchObject({ status: 200 }), {
      timeout: 20_000,
      interval: 100,
    });
  });
});

async function keysOf(page: Page, cellar: string): Promise<{ id: string; expiresAt: string | null }[]> {
  const response = await page.request.get(`/api/v1/cellars/${cellar}/keys`);
  const { keys } = (await response.json()) as { keys: { id: string; expiresAt: string | null }[] };
  return keys;
}

async function changeExpiry(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More actions for test rig' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
}
