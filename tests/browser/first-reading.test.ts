import { expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrierAnywhere, TWO_LOOKS } from './expect-no-barrier.ts';
import { sendReading } from './send-reading.ts';
import { newCellar, newSender } from './sender.ts';
import { everythingIn } from './steps.ts';

describeDashboard('the first reading of a cellar', (onHarness) => {
  test('a key and a command on one page, which leads to the data', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const cellar = await newCellar(page);
    await page.goto(`/cellars/${cellar}`);
    await page.getByText('Waiting for the first reading').waitFor();
    await expectNoBarrierAnywhere(page, 'the empty cellar', TWO_LOOKS);
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByText("You won't see this key again").waitFor();
    const command = await page.getByLabel('Send a reading with curl', { exact: true }).innerText();
    const [apiKey = ''] = /cm_[0-9A-Za-z]{36}/.exec(command) ?? [];
    await expectNoBarrierAnywhere(page, 'the new key', TWO_LOOKS);

    // What is wrong is shown below.
    expect(
      await sendReading(harness.run, { cellar, apiKey, timestamp: '2001-01-01T00:00:00Z' }),
    ).toMatchObject({
      status: 400,
    });
    await page.getByText('Timestamp in the future or too old').waitFor();
    expect(await sendReading(harness.run, { cellar, apiKey })).toMatchObject({ status: 200 });
    await page.getByRole('heading', { name: 'First reading received' }).waitFor();
    await page.getByText('rack-1 sent temperature 11.4, received').waitFor();
    expect(await page.getByText(apiKey).count()).toBeGreaterThan(0);
    await expectNoBarrierAnywhere(page, 'the first reading', TWO_LOOKS);
    await page.getByRole('button', { name: 'I have stored the key' }).click();
    await page.getByRole('group', { name: 'Readings, last min' }).waitFor();
    expect(await everythingIn(page)).not.toContain(apiKey);
  });

  test('leads to the Data page with the series that has arrived', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const sender = await newSender(page);
    const { cellar } = sender;
    await page.goto(`/cellars/${cellar}`);
    await page.getByText('Waiting for the first reading').waitFor();
    expect(await sendReading(harness.run, { ...sender, rack: 'press-7' })).toMatchObject({ status: 200 });
    await page.getByRole('button', { name: 'See it on the Data page' }).click();
    await page.getByRole('row').filter({ hasText: 'press-7' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/cellars/${cellar}/data`);
  });
});
