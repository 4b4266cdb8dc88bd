import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { chromiumPath, NO_CHROMIUM } from './chromium.ts';
import { findBarriers } from './find-barriers.ts';
import { sendReading } from './send-reading.ts';
import { startStage } from './stage.ts';
import type { Stage } from './stage.ts';

// eslint-disable-next-line no-console -- whoever runs the tests should know why these are skipped
if (chromiumPath === undefined) console.log(NO_CHROMIUM);

const PATIENCE = { timeout: 20_000, interval: 100 };

describe.skipIf(chromiumPath === undefined)('the dashboard in Chromium', () => {
  let stage: Stage;
  let made = 0;

  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage.stop());
  afterEach(() => expect(stage.takeComplaints()).toEqual([]));

  const newName = (): string => `cellar-${Date.now().toString(36)}-${made++}`;

  async function createCellar(page: Page): Promise<string> {
    const cellar = newName();
    await page.getByRole('button', { name: 'Create cellar' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(cellar);
    await dialog.getByRole('button', { name: 'Create cellar' }).click();
    await page.getByRole('heading', { name: cellar }).waitFor();
    return cellar;
  }

  /** @returns the key, as the page shows it */
  async function createKey(page: Page, name: string): Promise<string> {
    await page.getByRole('button', { name: 'Create New Key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create key' }).click();
    return page.getByLabel('API key', { exact: true }).innerText();
  }

  const stored = (page: Page) => page.getByRole('button', { name: 'I have stored it' });
  const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

  test('the path to a key: open a cellar, "API Keys" in the top menu, "Create New Key", copy the key', async () => {
    const page = await stage.newPage();
    await page.goto('/');
    await page.getByLabel('Email').fill(stage.run.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(stage.run.admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Cellars' }).waitFor();
    const cellar = await createCellar(page);
    await page.getByRole('link', { name: 'Cellarman' }).click();
    await page.getByRole('link', { name: cellar }).click();

    // Nothing has come yet. The page stays open beside, and is not loaded again.
    const overview = await page.context().newPage();
    await overview.goto(`/cellars/${cellar}`);
    await overview.getByText('No reading has arrived yet').waitFor();

    await page.getByRole('link', { name: 'API Keys' }).click();
    const secret = await createKey(page, 'boiler house');
    await page.getByText("You won't see this key again").waitFor();
    expect(secret).toMatch(/^cm_[0-9A-Za-z]{36}$/);
    await page.getByRole('button', { name: 'Copy API key' }).click();
    await page.getByRole('button', { name: 'Copy API key' }).getByText('Copied').waitFor();
    expect(await copied(page)).toBe(secret);

    // A stray click or key does not take it away.
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    for (const name of ['curl', 'Node', 'Python', 'Arduino / ESP32']) {
      await page.getByRole('tab', { name }).click();
      const example = await page.getByRole('tabpanel').innerText();
      for (const part of [`${stage.run.ingestUrl}/api/v1/ingest`, cellar, secret])
        expect(example).toContain(part);
    }
    await stored(page).click();

    await page.getByRole('cell', { name: 'boiler house', exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(
      await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])'),
    ).not.toContain(secret);

    expect(await sendReading(stage.run, { cellar, apiKey: secret })).toMatchObject({ status: 200 });
    await overview
      .getByRole('group', { name: 'In the last minute' })
      .getByText('1', { exact: true })
      .waitFor();
    await overview
      .getByText('1 reading in the last hour')
      .or(overview.getByRole('img', { name: /^1 reading in/ }))
      .waitFor();

    await page.getByRole('button', { name: 'Revoke boiler house' }).click();
    await page.getByRole('button', { name: 'Keep it' }).waitFor();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('Revoked boiler house').waitFor();
    await vi.waitFor(async () => {
      expect(await sendReading(stage.run, { cellar, apiKey: secret })).toEqual({
        status: 401,
        body: { error: 'Invalid API key', status: 401 },
      });
    }, PATIENCE);
    await page.getByText('Revoked', { exact: true }).first().click();
    await page.getByRole('cell', { name: 'boiler house', exact: true }).waitFor();
  });

  test('a rotated key goes on beside the new one, and an expiry can be chosen and changed', async () => {
    const page = await stage.signedIn();
    const cellar = await createCellar(page);
    const old = await createKey(page, 'gateway');
    await stored(page).click();

    await page.getByRole('button', { name: 'More for gateway' }).click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await page.getByLabel('The old key expires').selectOption({ label: 'In an hour' });
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const fresh = await page.getByLabel('API key', { exact: true }).innerText();
    await stored(page).click();
    expect(fresh).not.toBe(old);
    await page.getByRole('cell', { name: /^in 5\d min$/ }).waitFor();
    for (const apiKey of [old, fresh]) {
      expect(await sendReading(stage.run, { cellar, apiKey })).toMatchObject({ status: 200 });
    }

    const newest = page
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: 'Never' }) })
      .last();
    await newest.getByRole('button', { name: 'More for gateway' }).click();
    await page.getByRole('menuitem', { name: 'Change expiry' }).click();
    await page.getByLabel('Expires').selectOption({ label: 'In 30 days' });
    await page.getByRole('button', { name: 'Change expiry' }).click();
    await page.getByText('gateway now expires on').waitFor();
    await page.getByRole('cell', { name: /^in (29|30) days$/ }).waitFor();

    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('cell', { name: 'Changed a key' }).waitFor();
    await page.getByRole('cell', { name: 'Rotated a key' }).waitFor();
  });

  test('what is refused shows on the overview without a reload, with the reason, the key and the rack', async () => {
    const page = await stage.signedIn();
    const cellar = await createCellar(page);
    const apiKey = await createKey(page, 'press');
    await stored(page).click();
    await page.goto(`/cellars/${cellar}`);
    await page.getByText('Nothing was refused in the last day').waitFor();

    const late = { cellar, apiKey, rack: 'press-7', timestamp: '2001-01-01T00:00:00Z' };
    expect(await sendReading(stage.run, late)).toMatchObject({ status: 400 });
    const refused = page.getByRole('table', { name: 'Refused' }).getByRole('row', { name: /press-7/ });
    await refused.getByText('The timestamp is in the future or too old').waitFor();
    await refused.getByText('press', { exact: false }).first().waitFor();
    expect(await sendReading(stage.run, { cellar, apiKey })).toMatchObject({ status: 200 });
    await page
      .getByRole('group', { name: 'Refused in the last hour' })
      .getByText('1', { exact: true })
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  test('settings say what they change, and archiving asks for the name', async () => {
    const page = await stage.signedIn();
    const cellar = await createCellar(page);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Days').fill('7');
    await page.getByRole('button', { name: 'Change retention' }).click();
    await page.getByText('Readings older than 7 days are hidden at once').waitFor();
    await page.getByRole('button', { name: 'Keep 7 days' }).click();
    await page.getByText(`Readings of ${cellar} are now kept for 7 days`).waitFor();

    await page.getByRole('button', { name: `Archive ${cellar}` }).click();
    const archive = page.getByRole('button', { name: 'Archive for good' });
    expect(await archive.isDisabled()).toBe(true);
    await page.getByLabel(`Type ${cellar} to go on`).fill(cellar);
    await archive.click();
    await page.getByText('This cellar is archived').waitFor();
  });

  test('an address opens the same view again, after signing in if need be', async () => {
    const page = await stage.signedIn();
    await page.goto('/cellars/demo/keys');
    await page.getByText('Expired', { exact: true }).click();
    await page.getByText('No key of this cellar is expired').waitFor();
    const address = page.url();

    const stranger = await stage.newPage();
    await stranger.goto(address);
    await stranger.getByLabel('Email').fill(stage.run.admin.email);
    await stranger.getByLabel('Password', { exact: true }).fill(stage.run.admin.password);
    await stranger.getByRole('button', { name: 'Sign in' }).click();
    await stranger.getByText('No key of this cellar is expired').waitFor();
    expect(stranger.url()).toBe(address);

    await stranger.getByRole('button', { name: 'Sign out' }).click();
    await stranger.getByRole('heading', { name: 'Sign in to Cellarman' }).waitFor();
    await stranger.goto(address);
    await stranger.getByRole('heading', { name: 'Sign in to Cellarman' }).waitFor();
  });

  test('who is invited joins by the link, and sees the granted cellars only', async () => {
    const page = await stage.signedIn();
    const cellar = await createCellar(page);
    const email = `${cellar}@example.com`;
    const invited = await page.request.post('/api/v1/invitations', {
      data: { email, role: 'member', cellars: [cellar] },
    });
    const { token } = (await invited.json()) as { token: string };

    const guest = await stage.newPage();
    await guest.goto(`/invitation#${token}`);
    await guest.getByText(email).waitFor();
    await guest.getByLabel('Password', { exact: true }).fill('a barrel of cold rain water');
    await guest.getByRole('button', { name: 'Join' }).click();
    await guest.getByRole('link', { name: cellar }).waitFor();
    expect(await guest.getByRole('link', { name: 'demo' }).count()).toBe(0);
    expect(await guest.getByRole('button', { name: 'Create cellar' }).count()).toBe(0);
    await guest.goto(`/cellars/demo/keys`);
    await guest.getByText("Couldn't load the cellar demo").waitFor();
  });

  test.for([
    ['light', 1280],
    ['dark', 390],
  ] as const)('no serious barrier on any page, %s at %i pixels', async ([colorScheme, width]) => {
    const { cellar, apiKey } = stage.run.demo;
    expect(await sendReading(stage.run, { cellar, apiKey })).toMatchObject({ status: 200 });
    const page = await stage.signedIn({ colorScheme, width });
    const pages: [string, (at: Page) => Promise<void>][] = [
      ['/', (at) => at.getByRole('link', { name: cellar }).waitFor()],
      [`/cellars/${cellar}`, (at) => at.getByText('The numbers as a table').waitFor()],
      [`/cellars/${cellar}/keys`, (at) => at.getByText('local stack').waitFor()],
      [`/cellars/${cellar}/racks`, (at) => at.getByRole('link', { name: 'rack-1' }).waitFor()],
      [`/cellars/${cellar}/settings`, (at) => at.getByLabel('Days').waitFor()],
      [`/cellars/${cellar}/audit`, (at) => at.getByText('Created a key').first().waitFor()],
    ];
    for (const [path, isThere] of pages) {
      await page.goto(path);
      await isThere(page);
      expect(await findBarriers(page), path).toEqual([]);
      const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
      expect(await page.evaluate(isTooWide), `${path} is wider than the screen`).toBe(false);
    }
    await page.goto(`/cellars/${cellar}/keys`);
    await page.getByRole('button', { name: 'Create New Key' }).click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    expect(await findBarriers(page), 'the dialog for a new key').toEqual([]);
  });
});
