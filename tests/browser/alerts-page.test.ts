import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrierAnywhere, TWO_LOOKS } from './expect-no-barrier.ts';
import { findBarriers } from './find-barriers.ts';
import { passTimeUntil } from './pass-time.ts';
import { sendReading } from './send-reading.ts';
import { newSender } from './sender.ts';
import { store } from './steps.ts';

/** Receives webhooks and keeps their texts. */
async function startReceiver() {
  const texts: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      texts.push((JSON.parse(body) as { text: string }).text);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a-secret-path`;
  return { texts, url, stop: () => server.close() };
}

async function addWebhook(page: Page, url: string): Promise<string> {
  await page.getByRole('button', { name: 'Add destination' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('on call');
  await dialog.getByLabel('URL').fill(url);
  await dialog.getByRole('button', { name: 'Add destination' }).click();
  const secret = await page.getByLabel('Signing secret', { exact: true }).innerText();
  await store(page);
  return secret;
}

async function createRule(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('too warm');
  await dialog.getByLabel('Condition').selectOption('Value of a keg');
  await dialog.getByLabel('Keg').fill('temperature');
  await dialog.getByLabel('Above').fill('8');
  await dialog.getByLabel('For (minutes)').fill('0');
  expect(await dialog.getByLabel(/^night shift/).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Create rule' }).click();
  await page.getByText('Rule “too warm” created').waitFor();
}

describeDashboard('alerts in the dashboard', (onHarness) => {
  test('a rule is created, fires, notifies, is muted and is resolved', async () => {
    const harness = onHarness();
    const receiver = await startReceiver();
    const page = await harness.signedIn({ hasOwnProfile: true });
    const { cellar, apiKey } = await newSender(page);
    await page.clock.install();
    await page.goto(`/cellars/${cellar}`);
    await page.getByRole('link', { name: 'Alerts' }).click();
    await page.getByText('No alerts are pending or firing').waitFor();
    expect(await findBarriers(page)).toEqual([]);

    const secret = await addWebhook(page, receiver.url);
    expect(secret).toMatch(/^whsec_/);
    const destinations = page.getByRole('table', { name: 'Destinations' });
    await destinations.getByRole('button', { name: 'Test on call' }).click();
    await destinations.getByText('Delivered').waitFor();
    expect(receiver.texts).toEqual([expect.stringContaining(`cellar ${cellar}`)]);
    expect(await page.content()).not.toContain('a-secret-path');
    expect(await page.content()).not.toContain(secret);

    await destinations.getByRole('button', { name: 'More actions for on call' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const edited = page.getByRole('dialog');
    expect(await edited.getByLabel('New URL').inputValue()).toBe('');
    await edited.getByLabel('Name').fill('night shift');
    await expectNoBarrierAnywhere(page, 'the dialog of a destination', TWO_LOOKS);
    await edited.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Destination “night shift” saved.').waitFor();
    await destinations.getByRole('button', { name: 'Test night shift' }).click();
    await expect.poll(() => receiver.texts.length).toBe(2);

    const keg = `/api/v1/cellars/${cellar}/kegs?keg=temperature`;
    await page.request.put(keg, { data: { unit: '°C', decimals: 1 } });
    await page.reload();
    await createRule(page);
    const reading = { cellar, apiKey, rack: 'press-7' };
    expect(await sendReading(harness.run, { ...reading, value: 9.5 })).toMatchObject({ status: 200 });
    const open = page.getByRole('table', { name: 'Open alerts' }).getByRole('row', { name: /press-7/ });
    await passTimeUntil(page, open.getByText('Firing', { exact: true }));
    await open.getByText('temperature is 9.5 °C').waitFor();
    await expect.poll(() => receiver.texts.at(-1)).toContain('Firing: too warm');
    const banner = page.getByRole('banner');
    await passTimeUntil(page, banner.getByRole('link', { name: /firing: alerts in/ }));
    await expectNoBarrierAnywhere(page, 'a firing alert');

    const rules = page.getByRole('table', { name: 'Alert rules' });
    await rules.getByRole('button', { name: 'More actions for too warm' }).click();
    await page.getByRole('menuitem', { name: 'Mute for 1 hour' }).click();
    await rules.getByText(/^Muted, ends/).waitFor();

    expect(await sendReading(harness.run, { ...reading, value: 7 })).toMatchObject({ status: 200 });
    await passTimeUntil(page, page.getByText('No alerts are pending or firing'));
    await page
      .getByRole('table', { name: 'History' })
      .getByRole('row', { name: /press-7/ })
      .getByText('Resolved', { exact: true })
      .waitFor();
    // It was sent when it fired, so its end is sent too, muted or not.
    await expect.poll(() => receiver.texts.at(-1)).toContain('Resolved: too warm');

    await rules.getByRole('button', { name: 'Edit too warm' }).click();
    expect(await page.getByLabel('Above').inputValue()).toBe('8\u00A0°C');
    await expectNoBarrierAnywhere(page, 'the dialog of a rule', TWO_LOOKS);
    await page.getByRole('button', { name: 'Cancel' }).click();
    receiver.stop();
  });
});
