import { expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrier } from './expect-no-barrier.ts';
import { sendReading } from './send-reading.ts';
import { createCellar, createKey, store } from './steps.ts';

describeDashboard('the page of an API key', (onStage) => {
  test('shows what the key sent, from which racks, what was rejected and why, and its successor', async () => {
    const stage = onStage();
    const page = await stage.signedIn();
    const cellar = await createCellar(page);
    await page.getByRole('link', { name: 'API Keys', exact: true }).click();
    const apiKey = await createKey(page, 'gateway');
    await store(page);
    for (const rack of ['a', 'a', 'b']) {
      expect(await sendReading(stage.run, { cellar, apiKey, rack })).toMatchObject({ status: 200 });
    }
    expect(await sendReading(stage.run, { cellar, apiKey, timestamp: 'yesterday' })).toMatchObject({
      status: 400,
    });

    await page.getByRole('link', { name: 'gateway', exact: true }).click();
    await page.getByRole('heading', { name: 'gateway', level: 2 }).waitFor();
    await page.getByRole('heading', { name: '2 racks in the last hour' }).waitFor();
    const racks = page.getByRole('table', { name: 'Racks that used the key' });
    await racks.getByRole('row').filter({ hasText: 'a' }).filter({ hasText: '2' }).waitFor();
    const rejections = page.getByRole('table', { name: 'Rejected readings' });
    await rejections.getByText('"timestamp" must be a time in UTC').waitFor();
    await rejections.getByText('Send cellar, rack, keg, value and timestamp').waitFor();
    await expectNoBarrier(page, 'the page of a key');

    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByText('2 racks used it in the last hour').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await store(page);
    await page.getByText('Replaced by').waitFor();
    await page.getByRole('definition').getByRole('link').click();
    await page.getByText('Replaces', { exact: true }).waitFor();
    await page.getByRole('heading', { name: '0 racks in the last hour' }).waitFor();
  });

  test.for([
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('no serious barrier, %s at %i pixels', async ([colorScheme, width]) => {
    const stage = onStage();
    const page = await stage.signedIn({ colorScheme, width });
    await page.goto(`/cellars/${stage.run.demo.cellar}/keys`);
    await page.getByRole('link', { name: 'local stack' }).first().click();
    await page.getByRole('heading', { name: /^[\d,]+ racks? in the last hour$/ }).waitFor();
    await expectNoBarrier(page, 'the page of a key');
  });
});
