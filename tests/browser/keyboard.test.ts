import { expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrier } from './expect-no-barrier.ts';
import { sendReading } from './send-reading.ts';
import { newKey, newSender, untilStored } from './sender.ts';
import { openFromUserMenu } from './steps.ts';

describeDashboard('the keyboard in the dashboard', (onHarness) => {
  test('a command palette finds cellars, keys and pages, and reduces a pasted key to its prefix', async () => {
    const page = await onHarness().signedIn();
    const { cellar, apiKey: secret } = await newSender(page, 'boiler house');
    await page.goto(`/cellars/${cellar}/keys`);
    await page.getByRole('table', { name: 'API keys' }).waitFor();
    await page.keyboard.press('Control+k');
    const search = page.getByRole('textbox', { name: /^Search cellars/ });
    await search.fill(secret);
    await page.getByText(`API key ${secret.slice(0, 8)}…`).click();
    await page.waitForURL(`**/keys?search=${secret.slice(0, 8)}`);
    expect(page.url()).not.toContain(secret);

    await page.keyboard.press('Control+k');
    await search.fill('settings');
    await page.getByText('Settings', { exact: true }).last().waitFor();
    await expectNoBarrier(page, 'command palette');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/cellars/${cellar}/settings`);

    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await search.fill(cellar.slice(0, 14));
    await page.getByText('Cellar', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Search', exact: true }).and(page.locator(':focus')).waitFor();
  });

  test('on the home page, the command palette finds the racks of the first cellars', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const sender = await newSender(page);
    expect(await sendReading(harness.run, { ...sender, rack: 'palette-rack' })).toMatchObject({
      status: 200,
    });
    await untilStored(page, sender.cellar);
    // Other tests have cellars too.
    await page.route(
      (url) => url.pathname === '/api/v1/cellars' && !url.searchParams.has('search'),
      (route) => {
        const url = new URL(route.request().url());
        url.searchParams.set('search', sender.cellar);
        return route.continue({ url: url.href });
      },
    );
    await page.goto('/');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('textbox', { name: /^Search cellars/ }).fill('palette');
    await page.getByText(`Rack of ${sender.cellar}`).click();
    await page.waitForURL(`**/cellars/${sender.cellar}/racks/palette-rack`);
  });

  test('shortcuts open pages and move between rows, and ? lists them', async () => {
    const page = await onHarness().signedIn();
    const { cellar } = await newSender(page, 'first');
    await newKey(page, cellar, 'second');
    await page.goto(`/cellars/${cellar}/keys`);
    await page.getByRole('button', { name: 'Revoke first' }).waitFor();
    for (const [key, name] of [
      ['j', 'second'],
      ['j', 'first'],
      ['k', 'second'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole('link', { name }).and(page.locator(':focus')).waitFor();
    }
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL(`**/cellars/${cellar}/settings`);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('g k').waitFor();
    await page.keyboard.press('Escape');
    // In a field, they are letters.
    await page.getByLabel('Days').focus();
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    expect(page.url()).toContain('/settings');
  });

  test('the audit log of everything has absolute times and a range of days', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    await page.goto('/');
    await openFromUserMenu(page, 'Audit log');
    await page.getByRole('cell', { name: 'Signed in' }).first().waitFor();
    await page
      .getByRole('cell', { name: /^\w{3}, \d+ \w+ \d{4}, \d\d:\d\d:\d\d$/ })
      .first()
      .waitFor();
    await page.getByLabel('To day').fill('2020-01-01');
    await page.getByText('No matching entries').waitFor();
    expect(page.url()).toContain('to=2020-01-01');
    const file = await page.getByRole('link', { name: 'Export as CSV' }).getAttribute('href');
    expect((await page.request.get(file ?? '')).status()).toBe(200);
    await page.getByLabel('To day').fill('');
    await page.getByRole('cell', { name: 'Signed in' }).first().waitFor();
  });
});
