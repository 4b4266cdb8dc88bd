import { expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { newCellar, newSender } from './sender.ts';
import { store } from './steps.ts';

describeDashboard('forms in the dashboard', (onHarness) => {
  test('an invalid cellar name gets a suggestion', async () => {
    const page = await onHarness().signedIn();
    await page.goto('/');
    await page.getByRole('button', { name: 'Create cellar' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Harbour Brewery');
    expect(await dialog.getByRole('button', { name: 'Create cellar' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Use harbour-brewery' }).click();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('harbour-brewery');
    expect(await dialog.getByRole('button', { name: 'Create cellar' }).isEnabled()).toBe(true);
  });

  test('a member is invited to at least one cellar', async () => {
    const page = await onHarness().signedIn();
    await page.goto('/people');
    await page.getByRole('button', { name: 'Invite user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('guest@example.com');
    await dialog.getByText('Select at least one.').waitFor();
    const invite = dialog.getByRole('button', { name: 'Create invite link' });
    expect(await invite.isDisabled()).toBe(true);
    await dialog.getByLabel('Role').selectOption('owner');
    expect(await invite.isEnabled()).toBe(true);
  });

  test('a rate limit starts at the default, and can be changed only to another', async () => {
    const page = await onHarness().signedIn();
    await page.goto(`/cellars/${await newCellar(page)}/settings`);
    const change = page.getByRole('button', { name: 'Change rate limit' });
    expect(await change.isDisabled()).toBe(true);
    await page.getByLabel('Rate limit').selectOption({ label: 'Custom' });
    expect(await page.getByLabel('Readings per second').inputValue()).toBe('1,000');
    await change.click();
    await page.getByText('Rate limit updated').waitFor();
  });

  test('a key can be renamed and limited; a list shows who revoked it and what it replaces', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const { cellar } = await newSender(page, 'gatway');
    await page.goto(`/cellars/${cellar}/keys`);
    await page.getByRole('button', { name: 'More actions for gatway' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('gateway');
    await page.getByLabel('Rate limit').selectOption({ label: 'Custom' });
    await page.getByLabel('Readings per second').fill('50');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Key “gateway” updated').waitFor();
    await page.getByRole('cell', { name: '50/s' }).waitFor();
    await page.getByRole('cell', { name: 'Never' }).first().waitFor();

    await page.getByRole('button', { name: 'More actions for gateway' }).click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await store(page);
    await page.getByText(/^replaces cm_/).waitFor();
    await page.getByRole('button', { name: 'Revoke gateway' }).first().click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.goto(`/cellars/${cellar}/keys?state=revoked`);
    await page
      .getByTitle(`by ${harness.run.admin.email}`)
      .or(page.getByText(`by ${harness.run.admin.email}`))
      .waitFor();
  });

  test('another cellar opens on the same page', async () => {
    const page = await onHarness().signedIn();
    const other = await newCellar(page);
    await page.goto('/cellars/demo/audit');
    await page.getByRole('combobox', { name: 'Cellar' }).fill(other);
    await page.getByRole('option', { name: other }).click();
    await page.waitForURL(`**/cellars/${other}/audit`);
  });
});
