import { expect, test, vi } from 'vitest';
import { findBarriers } from './find-barriers.ts';
import { sendReading } from './send-reading.ts';
import { describeDashboard } from './describe-dashboard.ts';
import { newSender } from './sender.ts';
import { copied, createCellar, createKey, everythingIn, signIn, store } from './steps.ts';

const PATIENCE = { timeout: 20_000, interval: 100 };

describeDashboard('API keys in the dashboard', (onHarness) => {
  test('the path to a key: open a cellar, "API Keys" in the top menu, "Create New Key", copy the key', async () => {
    const harness = onHarness();
    const page = await harness.newPage();
    await page.goto('/');
    await signIn(page, harness.run.admin);
    await page.getByRole('heading', { name: 'Cellars' }).waitFor();
    const cellar = await createCellar(page);
    await page.getByRole('link', { name: 'Cellarman' }).click();
    await page.getByRole('link', { name: cellar }).click();

    // No readings yet. The page stays open and is not reloaded.
    const overview = await page.context().newPage();
    await overview.goto(`/cellars/${cellar}`);
    await overview.getByText('No readings received yet').waitFor();

    await page.getByRole('link', { name: 'API Keys', exact: true }).click();
    const secret = await createKey(page, 'boiler house');
    await page.getByText("You won't see this key again").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(secret).toMatch(/^cm_[0-9A-Za-z]{36}$/);
    await page.getByRole('button', { name: 'Copy API key' }).click();
    await page.getByRole('button', { name: 'Copied API key' }).waitFor();
    expect(await copied(page)).toBe(secret);

    // A stray click or key does not close it.
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    for (const name of ['curl', 'Node', 'Python', 'Arduino / ESP32']) {
      await page.getByRole('tab', { name }).click();
      const example = await page.getByRole('tabpanel').innerText();
      for (const part of [`${harness.run.ingestUrl}/api/v1/ingest`, cellar, secret])
        expect(example).toContain(part);
    }
    await store(page);

    await page.getByRole('cell', { name: 'boiler house', exact: true }).waitFor();
    expect(await everythingIn(page)).not.toContain(secret);

    expect(await sendReading(harness.run, { cellar, apiKey: secret })).toMatchObject({ status: 200 });
    await overview
      .getByRole('group', { name: 'Readings, last min' })
      .getByText('1', { exact: true })
      .waitFor();
    await overview
      .getByText('1 reading in the last hour')
      .or(overview.getByRole('img', { name: /^1 reading in/ }))
      .waitFor();

    await page.getByRole('button', { name: 'Revoke boiler house' }).click();
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('Key “boiler house” revoked').waitFor();
    await vi.waitFor(async () => {
      expect(await sendReading(harness.run, { cellar, apiKey: secret })).toEqual({
        status: 401,
        body: { error: 'Invalid API key', status: 401 },
      });
    }, PATIENCE);
    await page.getByText('Revoked', { exact: true }).first().click();
    await page.getByRole('cell', { name: 'boiler house', exact: true }).waitFor();
  });

  test('a rotated key keeps working beside the new one, and an expiry can be chosen and changed', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const { cellar, apiKey: old } = await newSender(page, 'gateway');
    await page.goto(`/cellars/${cellar}/keys`);

    await page.getByRole('button', { name: 'More actions for gateway' }).click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await page.getByLabel('Old key stops working').selectOption({ label: 'In 1 hour' });
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const fresh = await page.getByLabel('API key', { exact: true }).innerText();
    await store(page);
    expect(fresh).not.toBe(old);
    await page.getByRole('cell', { name: /^in (1 h|5\d min)$/ }).waitFor();
    for (const apiKey of [old, fresh]) {
      expect(await sendReading(harness.run, { cellar, apiKey })).toMatchObject({ status: 200 });
    }

    const newest = page
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: 'Never' }) })
      .last();
    await newest.getByRole('button', { name: 'More actions for gateway' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('Expires').selectOption({ label: 'In 30 days' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Key “gateway” updated').waitFor();
    await page.getByRole('cell', { name: /^in (29|30) days$/ }).waitFor();

    // A pasted key does not get into the URL.
    const search = page.getByLabel('Search keys by name or prefix');
    await search.fill('a key that is not there');
    await page.getByText('No active keys match').waitFor();
    await search.fill(old);
    await page
      .getByRole('row')
      .filter({ hasText: old.slice(0, 8) })
      .waitFor();
    expect(page.url()).not.toContain(old);
    expect(
      await page
        .getByRole('row')
        .filter({ hasText: fresh.slice(0, 8) })
        .count(),
    ).toBe(0);

    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('cell', { name: 'Changed a key' }).waitFor();
    await page.getByLabel('Filter by action').selectOption({ label: 'Rotated a key' });
    await page.getByRole('cell', { name: 'Changed a key' }).waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Rotated a key' }).waitFor();
    await page.getByLabel('Filter by user').fill('nobody');
    await page.getByText('No matching entries').waitFor();
  });
});
