import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrier } from './expect-no-barrier.ts';
import { readDownload } from './read-download.ts';
import { sendReading } from './send-reading.ts';
import { newCellar } from './sender.ts';
import { everythingIn } from './steps.ts';

const FILE = `name,rack,rack_prefix,scopes,expires,rate,burst
press 7,press-7,,ingest,2099-06-30,10,100
boiler house,,boiler-,ingest read,365d,,
wrong scope,,,write,,,
press 7,,,,,,
in the past,,,,2001-01-01,,
`;

async function choose(page: Page, content: string): Promise<void> {
  await page.getByRole('button', { name: 'Import keys' }).click();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose file' }).click(),
  ]);
  await chooser.setFiles({ name: 'keys.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
}

/** Each name with its state. */
async function keysOf(page: Page, cellar: string): Promise<string[]> {
  const response = await page.request.get(`/api/v1/cellars/${cellar}/keys?limit=200`);
  const { keys } = (await response.json()) as { keys: { name: string; state: string }[] };
  return keys.map(({ name, state }) => `${name} ${state}`).toSorted();
}

describeDashboard('import of API keys in the dashboard', (onHarness) => {
  test('names bad lines, creates each key once, and saves the keys once', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const cellar = await newCellar(page);
    await page.goto(`/cellars/${cellar}/keys`);
    await choose(page, FILE);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 keys to create. 2 lines with a problem are skipped.').waitFor();
    await dialog.getByText('valid scopes are ingest and read, not write').waitFor();
    await dialog.getByText('the name is already used in line 2').waitFor();
    await expectNoBarrier(page, 'the preview');

    // The key of this line is created, and the response is lost.
    const byPost = (url: URL): boolean => url.pathname === `/api/v1/cellars/${cellar}/keys`;
    let lost = 0;
    await page.route(byPost, async (route) => {
      const body = route.request().postData() ?? '';
      if (lost > 0 || !body.includes('boiler house')) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await dialog.getByRole('button', { name: 'Create 3 keys' }).click();
    await dialog.getByText('2 of 3 keys created').waitFor();
    expect(lost).toBe(1);
    const failed = dialog.getByRole('row').filter({ hasText: 'in the past (line 6)' });
    await failed.getByText('failed').waitFor();
    await expectNoBarrier(page, 'the results');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    const lines = (await readDownload(download)).toString().trimEnd().split('\n');
    expect(lines[0]).toBe('cellar,name,rack,rack_prefix,scopes,expires,rate,burst,key_id,secret');
    expect(lines[1]).toMatch(
      new RegExp(
        `^${cellar},press 7,press-7,,ingest,2099-06-30T00:00:00.000Z,10,100,[0-9a-f-]{36},cm_\\w{36}$`,
      ),
    );
    expect(lines[2]).toMatch(new RegExp(`^${cellar},boiler house,,boiler-,(ingest read|read ingest),20`));
    expect(lines).toHaveLength(3);
    await dialog.getByRole('button', { name: 'I have stored them' }).click();
    await dialog.waitFor({ state: 'detached' });
    const apiKey = lines[1]?.split(',').at(-1) ?? '';
    expect(await everythingIn(page)).not.toContain(apiKey);
    expect(await sendReading(harness.run, { cellar, apiKey, rack: 'press-7' })).toMatchObject({
      status: 200,
    });

    // The one whose secret was lost is revoked, and the same file creates nothing a second time.
    expect(await keysOf(page, cellar)).toEqual([
      'boiler house active',
      'boiler house revoked',
      'press 7 active',
    ]);
    await choose(page, FILE);
    await dialog.getByText('1 key to create. 4 lines with a problem are skipped.').waitFor();
    expect(await dialog.getByText('an active key has this name').count()).toBe(2);
  });

  test('an import whose tab was closed continues with the same file', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const cellar = await newCellar(page);
    const path = `/cellars/${cellar}/keys`;
    const file = 'name,rack\none,a\ntwo,b\nthree,c\n';
    await page.goto(path);
    await choose(page, file);
    // The first two are created; the tab is closed while the third is not.
    await page.route(
      (url) => url.pathname === `/api/v1/cellars/${cellar}/keys`,
      (route) => (route.request().postData()?.includes('three') === true ? undefined : route.continue()),
    );
    await page.getByRole('button', { name: 'Create 3 keys' }).click();
    await expect.poll(() => keysOf(page, cellar), { timeout: 30_000 }).toEqual(['one active', 'two active']);

    // Meanwhile another tab does not take its keys for lost.
    const other = await page.context().newPage();
    await other.goto(path);
    await choose(other, file);
    await other.getByRole('button', { name: 'Create 3 keys' }).click();
    await other.getByText('This file is being imported in another tab.').waitFor();
    await page.close({ runBeforeUnload: false });
    await other.reload();

    await other.getByRole('button', { name: 'Import keys' }).click();
    await other.getByText(/^The import of keys.csv on .* was interrupted/).waitFor();
    await expectNoBarrier(other, 'an interrupted import');
    await other.keyboard.press('Escape');
    await choose(other, file);
    await other.getByText('3 keys to create.').waitFor();
    await other.getByText(/^Continues the import of/).waitFor();
    await other.getByRole('button', { name: 'Create 3 keys' }).click();
    await other.getByText('3 of 3 keys created').waitFor();
    const [download] = await Promise.all([
      other.waitForEvent('download'),
      other.getByRole('button', { name: 'Download' }).click(),
    ]);
    const lines = (await readDownload(download)).toString().trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    const keys = await keysOf(other, cellar);
    expect(keys.filter((key) => key.endsWith('active'))).toEqual([
      ...['one active', 'three active', 'two active'],
    ]);
    // The request of the third may have left when the tab was closed.
    expect(keys).toEqual(expect.arrayContaining(['one revoked', 'two revoked']));
    for (const [number, line] of lines.slice(1).entries()) {
      const apiKey = line.split(',').at(-1) ?? '';
      expect(await everythingIn(other)).not.toContain(apiKey);
      const rack = ['a', 'b', 'c'][number] ?? '';
      expect(await sendReading(harness.run, { cellar, apiKey, rack })).toMatchObject({ status: 200 });
    }
    // Its keys are saved: the same file is another import.
    await other.getByRole('button', { name: 'I have stored them' }).click();
    await other.getByRole('button', { name: 'Import keys' }).click();
    await other.getByRole('button', { name: 'Choose file' }).waitFor();
    expect(await other.getByText('was interrupted').count()).toBe(0);
  });

  test('says what is wrong with a file, on a phone in the dark', async () => {
    const page = await onHarness().signedIn({ colorScheme: 'dark', width: 390 });
    const cellar = await newCellar(page);
    await page.goto(`/cellars/${cellar}/keys`);
    await choose(page, 'name,colour\na,red\n');
    await page.getByText('unknown column "colour"').waitFor();
    await expectNoBarrier(page, 'the error');
    await page.keyboard.press('Escape');
    await choose(page, FILE);
    await page.getByText('3 keys to create.').waitFor();
    await expectNoBarrier(page, 'the preview');
  });
});
