import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrier, expectNoBarrierAnywhere, TWO_LOOKS } from './expect-no-barrier.ts';
import { readDownload } from './read-download.ts';
import { sendReading } from './send-reading.ts';
import { newCellar } from './sender.ts';
import { everythingIn } from './steps.ts';

const PATIENCE = { timeout: 30_000, interval: 200 };

interface Key {
  id: string;
  name: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
}

/** @returns the keys by name, with their secrets */
async function createKeys(page: Page, cellar: string, names: readonly string[]) {
  const created = new Map<string, { id: string; secret: string }>();
  for (const name of names) {
    const answer = await page.request.post(`/api/v1/cellars/${cellar}/keys`, { data: { name } });
    const { key, secret } = (await answer.json()) as { key: Key; secret: string };
    created.set(name, { id: key.id, secret });
  }
  return created;
}

async function activeKeys(page: Page, cellar: string): Promise<Key[]> {
  const answer = await page.request.get(`/api/v1/cellars/${cellar}/keys?state=active`);
  return ((await answer.json()) as { keys: Key[] }).keys;
}

describeDashboard('several API keys in the dashboard', (onHarness) => {
  test('are rotated with a result for each, and the new ones are a file once', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const cellar = await newCellar(page);
    const keys = await createKeys(page, cellar, ['press 1', 'press, "2"', 'press 3']);
    const used = keys.get('press, "2"')?.secret ?? '';
    expect(await sendReading(harness.run, { cellar, apiKey: used })).toMatchObject({ status: 200 });
    await vi.waitFor(
      async () => expect((await activeKeys(page, cellar)).some(({ lastUsedAt }) => lastUsedAt)).toBe(true),
      PATIENCE,
    );
    await page.goto(`/cellars/${cellar}/keys`);
    await page.getByLabel('Select press, "2"').check();
    await page.getByLabel('Select press 3').check();
    await page.getByText('2 keys selected').waitFor();
    await expectNoBarrierAnywhere(page, 'the selection', TWO_LOOKS);
    await page.request.post(`/api/v1/cellars/${cellar}/keys/${keys.get('press 3')?.id ?? ''}/revoke`);

    await page.getByRole('button', { name: 'Rotate selected' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 key was used in the last hour, by 1 rack.').waitFor();
    await expectNoBarrierAnywhere(page, 'the confirmation', TWO_LOOKS);
    await dialog.getByRole('button', { name: 'Rotate 2 keys' }).click();
    await dialog.getByText('1 of 2 keys rotated').waitFor();
    await dialog.getByText('Only an active key can be rotated').waitFor();
    await expectNoBarrierAnywhere(page, 'the results', TWO_LOOKS);

    await page.keyboard.press('Escape');
    expect(await dialog.getByRole('button', { name: 'I have stored them' }).isDisabled()).toBe(true);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    const [heading, line, end] = (await readDownload(download)).toString().split('\n');
    expect(heading).toBe('cellar,name,rack,rack_prefix,scopes,expires,rate,burst,key_id,secret,replaces');
    expect(end).toBe('');
    const [, secret = ''] = /,(cm_[0-9A-Za-z]{36}),/.exec(line ?? '') ?? [];
    expect(line).toMatch(new RegExp(`^${cellar},"press, ""2""",,,ingest,,,,[0-9a-f-]{36},cm_`));
    expect(line?.endsWith(`,${keys.get('press, "2"')?.id ?? ''}`)).toBe(true);
    expect(await sendReading(harness.run, { cellar, apiKey: secret })).toMatchObject({ status: 200 });
    await dialog.getByRole('button', { name: 'I have stored them' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await everythingIn(page)).not.toContain(secret);
  });

  test('get an expiry and are revoked, on a phone in the dark', async () => {
    const page = await onHarness().signedIn({ colorScheme: 'dark', width: 390 });
    const cellar = await newCellar(page);
    // More than are changed at a time.
    const names = Array.from({ length: 9 }, (_, i) => `tank ${i}`);
    await createKeys(page, cellar, names);
    await page.goto(`/cellars/${cellar}/keys`);
    for (const name of names) await page.getByLabel(`Select ${name}`).check();
    await expectNoBarrier(page, 'the selection');
    await page.getByRole('button', { name: 'Change expiry' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('None of them was used in the last hour.').waitFor();
    await dialog.getByLabel('Expires').selectOption('7');
    await expectNoBarrier(page, 'the expiry');
    await dialog.getByRole('button', { name: 'Change expiry' }).click();
    await page.getByText('9 keys updated.').waitFor();
    const week = Date.now() + 7 * 86_400_000;
    const keys = await activeKeys(page, cellar);
    expect(keys).toHaveLength(9);
    for (const { expiresAt } of keys)
      expect(Math.abs(Date.parse(expiresAt ?? '') - week)).toBeLessThan(300_000);

    for (const name of names) await page.getByLabel(`Select ${name}`).check();
    await page.getByRole('button', { name: 'Revoke selected' }).click();
    await dialog.getByText('“tank 0”', { exact: false }).waitFor();
    await expectNoBarrier(page, 'the confirmation');
    await dialog.getByRole('button', { name: 'Revoke 9 keys' }).click();
    await page.getByText('9 keys revoked.').waitFor();
    await page.getByText('No active keys').waitFor();
    expect(await activeKeys(page, cellar)).toEqual([]);
  });
});
