import { expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrierAnywhere } from './expect-no-barrier.ts';
import { sendReading } from './send-reading.ts';
import { newSender, untilStored } from './sender.ts';
import { store } from './steps.ts';

describeDashboard('the page of an API key', (onHarness) => {
  test('shows what the key sent, from which racks, what was rejected and why, and its successor', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const { cellar, apiKey } = await newSender(page, 'gateway');
    for (const rack of ['a', 'a', 'b']) {
      expect(await sendReading(harness.run, { cellar, apiKey, rack })).toMatchObject({ status: 200 });
    }
    expect(await sendReading(harness.run, { cellar, apiKey, timestamp: 'yesterday' })).toMatchObject({
      status: 400,
    });

    await untilStored(page, cellar, 3);
    await page.goto(`/cellars/${cellar}/keys`);
    await page.getByRole('link', { name: 'gateway', exact: true }).click();
    await page.getByRole('heading', { name: 'gateway', level: 2 }).waitFor();
    await page.getByRole('heading', { name: '2 racks in the last hour' }).waitFor();
    const racks = page.getByRole('table', { name: 'Racks that used the key' });
    await racks.getByRole('row', { name: /^a 2 / }).waitFor();
    const rejections = page.getByRole('table', { name: 'Rejected readings' });
    await rejections.getByText('"timestamp" must be a time in UTC').waitFor();
    await rejections.getByText('Send cellar, rack, keg, value and timestamp').waitFor();
    await expectNoBarrierAnywhere(page, 'the page of a key');

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
});
