import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectNoBarrierAnywhere, TWO_LOOKS } from './expect-no-barrier.ts';
import { sendReading } from './send-reading.ts';
import { untilStored } from './sender.ts';
import { describeDashboard } from './describe-dashboard.ts';

describeDashboard('accessibility of the dashboard', (onHarness) => {
  test('no serious barrier on any page', async () => {
    const harness = onHarness();
    const { cellar, apiKey } = harness.run.demo;
    expect(await sendReading(harness.run, { cellar, apiKey })).toMatchObject({ status: 200 });
    const page = await harness.signedIn();
    await untilStored(page, cellar);
    const invited = await page.request.post('/api/v1/invitations', {
      data: { email: `a.guest.with.a.long.address.${Date.now()}@cellars.example.com`, role: 'owner' },
    });
    const { token } = (await invited.json()) as { token: string };
    const pages: [string, (at: Page) => Promise<void>][] = [
      ['/', (at) => at.getByRole('link', { name: cellar }).waitFor()],
      [`/cellars/${cellar}`, (at) => at.getByText('Show as table').waitFor()],
      [`/cellars/${cellar}/keys`, (at) => at.getByText('local stack').waitFor()],
      [
        `/cellars/${cellar}/racks?search=rack-1`,
        (at) => at.getByRole('link', { name: 'rack-1', exact: true }).waitFor(),
      ],
      [`/cellars/${cellar}/settings`, (at) => at.getByLabel('Days').waitFor()],
      [`/cellars/${cellar}/audit`, (at) => at.locator('td', { hasText: 'Created a key' }).first().waitFor()],
      ['/people', (at) => at.getByText('a.guest.with.a.long.address').first().waitFor()],
      ['/account', (at) => at.getByText('This browser').waitFor()],
      ['/tokens', (at) => at.getByRole('button', { name: 'Create token' }).waitFor()],
      [`/invitation#${token}`, (at) => at.getByRole('button', { name: 'Join' }).waitFor()],
      ['/sign-in', (at) => at.getByRole('button', { name: 'Sign in' }).waitFor()],
    ];
    for (const [path, isThere] of pages) {
      await page.goto(path);
      await isThere(page);
      await expectNoBarrierAnywhere(page, path, TWO_LOOKS);
    }
  });
});
