import { expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrierAnywhere, TWO_LOOKS } from './expect-no-barrier.ts';
import { sendReading } from './send-reading.ts';
import { newSender, untilStored } from './sender.ts';
import { copied } from './steps.ts';

const PASSWORD = 'a barrel of cold rain water';

describeDashboard('a viewer in the dashboard', (onHarness) => {
  test('sees the pages of a cellar, and no control that changes something', async () => {
    const harness = onHarness();
    const owner = await harness.signedIn();
    const sender = await newSender(owner, 'press 7');
    const { cellar } = sender;
    expect(await sendReading(harness.run, sender)).toMatchObject({ status: 200 });
    await untilStored(owner, cellar);

    await owner.goto('/people');
    const email = `viewer-${Date.now()}@cellars.example.com`;
    await owner.getByRole('button', { name: 'Invite user' }).click();
    const dialog = owner.getByRole('dialog');
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByLabel('Role').selectOption('viewer');
    await dialog.getByRole('combobox', { name: 'Cellars' }).fill(cellar);
    await owner.getByRole('option', { name: cellar }).click();
    await owner.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Create invite link' }).click();
    await owner.getByRole('button', { name: 'Copy Link' }).click();
    const link = await copied(owner);
    await owner.getByRole('button', { name: 'I have sent it' }).click();
    await owner
      .getByRole('row')
      .filter({ hasText: email })
      .getByRole('cell', { name: 'Viewer', exact: true })

      .waitFor();

    const page = await harness.newPage();
    await page.goto(link);
    await page.getByText(`to view ${cellar}`).waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('link', { name: cellar }).waitFor();
    const controls = page.getByRole('main').getByRole('button', {
      name: /create |add |edit|revoke|rotate|more actions|mute|delete|archive|shorten|save|import/i,
    });
    const pages = {
      '': 'Readings per minute',
      keys: 'press 7',
      racks: 'rack-1',
      alerts: 'No alert rules',
      settings: 'Only owners can change settings',
      audit: 'Created a key',
    };
    for (const [path, text] of Object.entries(pages)) {
      await page.goto(`/cellars/${cellar}/${path}`);
      await page.getByText(text).filter({ visible: true }).first().waitFor();
      expect([path, await controls.allInnerTexts()]).toEqual([path, []]);
      await expectNoBarrierAnywhere(page, path, TWO_LOOKS);
    }
    await page.goto(`/cellars/${cellar}/keys`);
    await page.getByRole('link', { name: 'press 7' }).click();
    await page.getByRole('heading', { name: 'Rejected readings' }).waitFor();
    expect(await controls.allInnerTexts()).toEqual([]);
    await expectNoBarrierAnywhere(page, 'the key page', TWO_LOOKS);
  });
});
