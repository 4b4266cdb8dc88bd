import { expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrier } from './expect-no-barrier.ts';
import { sendReading } from './send-reading.ts';
import { createCellar, everythingIn } from './steps.ts';

describeDashboard('the first reading of a cellar', (onHarness) => {
  test.for([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'a key and a command on one page, which leads to the data, %s at %i pixels',
    async ([colorScheme, width]) => {
      const harness = onHarness();
      const page = await harness.signedIn({ colorScheme, width });
      const cellar = await createCellar(page);
      await page.goto(`/cellars/${cellar}`);
      await page.getByText('Waiting for the first reading').waitFor();
      await expectNoBarrier(page, 'the empty cellar');
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByText("You won't see this key again").waitFor();
      const command = await page.getByLabel('Send a reading with curl', { exact: true }).innerText();
      const [apiKey = ''] = /cm_[0-9A-Za-z]{36}/.exec(command) ?? [];
      await expectNoBarrier(page, 'the new key');

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
      await expectNoBarrier(page, 'the first reading');
      await page.getByRole('button', { name: 'I have stored the key' }).click();
      await page.getByRole('group', { name: 'Readings, last min' }).waitFor();
      expect(await everythingIn(page)).not.toContain(apiKey);
    },
  );

  test('leads to the Data page with the series that has arrived', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const cellar = await createCellar(page);
    const answer = await page.request.post(`/api/v1/cellars/${cellar}/keys`, { data: { name: 'press' } });
    const { secret } = (await answer.json()) as { secret: string };
    await page.goto(`/cellars/${cellar}`);
    await page.getByText('Waiting for the first reading').waitFor();
    expect(await sendReading(harness.run, { cellar, apiKey: secret, rack: 'press-7' })).toMatchObject({
      status: 200,
    });
    await page.getByRole('button', { name: 'See it on the Data page' }).click();
    await page.getByRole('row').filter({ hasText: 'press-7' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/cellars/${cellar}/data`);
  });
});
