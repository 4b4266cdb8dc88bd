import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { expectNoBarrierAnywhere, TWO_LOOKS } from './expect-no-barrier.ts';
import { sendReading } from './send-reading.ts';
import { newCellar, newSender, untilStored } from './sender.ts';
import { createCellar, createKey, store } from './steps.ts';

describeDashboard('focus in the dashboard', (onHarness) => {
  test('closing a dialog returns the focus, also to the next row of a list', async () => {
    const page = await onHarness().signedIn();
    await page.goto('/');
    const create = page.getByRole('button', { name: 'Create cellar' });
    await create.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    expect(await page.getByRole('banner').count()).toBe(1);
    await page.keyboard.press('Escape');
    await hasFocus(page, 'Create cellar');

    await createCellar(page);
    await createKey(page, 'first');
    await store(page);
    await hasFocus(page, 'Create New Key');
    await createKey(page, 'second');
    await store(page);

    // From a menu, whose items are gone when the dialog closes.
    await page.getByRole('button', { name: 'More actions for first' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await hasFocus(page, 'More actions for first');

    // The newest key is the first row.
    for (const [revoked, next] of [
      ['second', 'Revoke first'],
      ['first', undefined],
    ] as const) {
      await page.getByRole('button', { name: `Revoke ${revoked}` }).click();
      await page.getByRole('button', { name: 'Revoke key' }).click();
      await page.getByRole('button', { name: `Revoke ${revoked}` }).waitFor({ state: 'detached' });
      if (next !== undefined) await hasFocus(page, next);
    }
    await page.getByText('No active keys').waitFor();
    await page.locator('#content:focus').waitFor();
  });

  test('dialogs have no barrier in light and dark, and Escape closes them and returns the focus', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const sender = await newSender(page);
    expect(await sendReading(harness.run, sender)).toMatchObject({ status: 200 });
    await untilStored(page, sender.cellar);
    const cellar = `/cellars/${sender.cellar}`;
    const dialogs: Record<string, string[]> = {
      '/': ['Create cellar'],
      '/people': ['Invite user'],
      '/tokens': ['Create token'],
      [`${cellar}/alerts`]: ['Create rule', 'Add destination'],
      [`${cellar}/settings`]: ['Edit temperature', `Archive ${sender.cellar}`],
      [`${cellar}/keys`]: [
        ...['Import keys', 'Create New Key', 'Create claim code', 'Revoke press'],
        ...['Revoke selected', 'Change expiry', 'Rotate selected'],
      ],
    };
    for (const [path, openers] of Object.entries(dialogs)) {
      await page.goto(path);
      for (const opener of openers) {
        if (opener.endsWith('selected')) await page.getByLabel('Select press').check();
        await page.getByRole('button', { name: opener, exact: true }).first().focus();
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').waitFor();
        await expectNoBarrierAnywhere(page, opener, TWO_LOOKS);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await hasFocus(page, opener);
      }
    }
  });

  test('exact times are reachable with the keyboard', async () => {
    const page = await onHarness().signedIn();
    const { cellar } = await newSender(page);
    await page.goto(`/cellars/${cellar}/keys`);
    const time = page.getByRole('row', { name: /press/ }).locator('time').first();
    // With the keyboard in use, as when a user tabs there.
    await page.keyboard.press('Tab');
    await time.focus();
    await page.getByRole('tooltip').getByText('UTC').waitFor();
  });

  test('a long form keeps its buttons in view', async () => {
    const page = await onHarness().signedIn({ height: 640 });
    await page.goto(`/cellars/${await newCellar(page)}/keys`);
    await page.getByRole('button', { name: 'Create New Key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Expires').selectOption({ label: 'Custom date…' });
    await dialog.getByLabel('Racks').selectOption({ label: 'One rack' });
    await dialog.getByLabel('Rate limit').selectOption({ label: 'Custom' });
    const box = await dialog.getByRole('button', { name: 'Create key' }).boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(640);
  });
});

async function hasFocus(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).and(page.locator(':focus')).waitFor();
}
