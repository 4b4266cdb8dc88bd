import { expect, test, vi } from 'vitest';
import { findText } from './find-text.ts';
import { sendReading } from './send-reading.ts';
import { describeDashboard } from './describe-dashboard.ts';
import { createCellar, createKey, everythingIn, signIn, store } from './steps.ts';

describeDashboard('secrets in the dashboard', (onHarness) => {
  test('a key that was used, rejected and revoked is in no page, log, cache, topic or table', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    await page.goto('/');
    const cellar = await createCellar(page);
    const apiKey = await createKey(page, 'cellar door');
    await store(page);

    const sent = { cellar, apiKey };
    expect(await sendReading(harness.run, sent)).toMatchObject({ status: 200 });
    expect(await sendReading(harness.run, { ...sent, cellar: 'another' })).toMatchObject({ status: 403 });
    expect(await sendReading(harness.run, { ...sent, timestamp: apiKey })).toMatchObject({ status: 400 });
    await page.getByRole('button', { name: 'Revoke cellar door' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('Key “cellar door” revoked').waitFor();
    await vi.waitFor(
      async () => expect(await sendReading(harness.run, sent)).toMatchObject({ status: 401 }),
      {
        timeout: 20_000,
        interval: 100,
      },
    );

    // The search finds what is there: the name of the cellar.
    expect(await findText(harness, cellar)).toEqual(expect.arrayContaining(['Redis', 'Kafka', 'PostgreSQL']));
    expect(await findText(harness, '"level":')).toContain('logs');
    expect(await findText(harness, apiKey)).toEqual([]);
    expect(await everythingIn(page)).not.toContain(apiKey);
    for (const { name, value } of await page.context().cookies()) {
      expect(await findText(harness, value), `cookie ${name}`).toEqual([]);
    }
  });

  test('repeated sign-in failures are limited, for that account only', async () => {
    const harness = onHarness();
    const page = await harness.newPage();
    await page.goto('/sign-in');
    const attempt = async (email: string, password: string): Promise<number> => {
      const response = page.waitForResponse((received) => received.request().method() === 'POST');
      await signIn(page, { email, password });
      return (await response).status();
    };
    // Neither the response nor the limit reveals whether the account exists.
    for (const guess of ['one', 'two', 'three', 'four', 'five']) {
      expect(await attempt('nobody@example.com', guess)).toBe(401);
    }
    await page.getByText("Couldn't sign you in").waitFor();
    expect(await attempt('nobody@example.com', 'six')).toBe(429);
    await page.getByText('Too many sign-in attempts').waitFor();
    expect(await attempt(harness.run.admin.email, harness.run.admin.password)).toBe(201);
    await page.getByRole('heading', { name: 'Cellars' }).waitFor();
  });
});
