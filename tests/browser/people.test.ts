import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeDashboard } from './describe-dashboard.ts';
import { newCellar } from './sender.ts';
import { copied, everythingIn, openFromUserMenu, signIn, store } from './steps.ts';

const PASSWORD = 'a barrel of cold rain water';
const NEW_PASSWORD = 'seven lanterns under the bridge';

const newEmail = (): string => `guest-${randomBytes(6).toString('hex')}@example.com`;

describeDashboard('users in the dashboard', (onHarness) => {
  test('an invited user joins, sees the granted cellars only, and can be disabled', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    const cellar = await newCellar(page);
    await page.goto('/');
    await openFromUserMenu(page, 'Users');
    const [email, other] = [newEmail(), newEmail()];
    const link = await invite(page, email, cellar);
    expect(link).toMatch(new RegExp(`^${harness.run.dashboardUrl}/invitation#[\\w-]{43}$`));
    expect(await everythingIn(page)).not.toContain(link.split('#')[1]);

    const guest = await harness.newPage();
    await guest.goto(link);
    await guest.getByText(email).waitFor();
    await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await guest.getByRole('button', { name: 'Join' }).click();
    await guest.getByRole('link', { name: cellar }).waitFor();
    expect(await guest.getByRole('link', { name: 'demo' }).count()).toBe(0);
    expect(await guest.getByRole('button', { name: 'Create cellar' }).count()).toBe(0);
    await guest.goto(`/cellars/demo/keys`);
    await guest.getByText('Cellar demo not found').waitFor();
    await guest.goto('/people');
    await guest.getByText('Only owners can see this page').waitFor();

    const withdrawn = await invite(page, other, cellar);
    await page.getByRole('button', { name: `Withdraw the invitation for ${other}` }).click();
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByText(`Invitation for ${other} withdrawn`).waitFor();
    await guest.goto(withdrawn);
    await guest.getByText('This link is not valid').waitFor();

    await page.getByRole('button', { name: `More actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByLabel('Revoke the tokens and keys they created').check();
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText(`${email} is disabled and signed out. Their tokens and keys are revoked.`).waitFor();
    await guest.goto('/');
    await signIn(guest, { email, password: PASSWORD });
    await guest.getByText("Couldn't sign you in").waitFor();
    await page.getByRole('button', { name: `Enable ${email}` }).waitFor();
  });

  test('a user signs out another session and changes their password', async () => {
    const harness = onHarness();
    const owner = await harness.signedIn();
    const email = newEmail();
    const invited = await owner.request.post('/api/v1/invitations', { data: { email, role: 'member' } });
    const { token } = (await invited.json()) as { token: string };
    const page = await harness.newPage();
    const joined = await page.request.post('/api/v1/join', { data: { token, password: PASSWORD } });
    expect(joined.status()).toBe(201);
    const elsewhere = await harness.newPage();
    await elsewhere.goto('/');
    await signIn(elsewhere, { email, password: PASSWORD });
    await elsewhere.getByRole('heading', { name: 'Cellars' }).waitFor();

    await page.goto('/');
    await openFromUserMenu(page, 'Your account');
    await page.getByRole('row', { name: /This browser/ }).waitFor();
    await page.getByRole('button', { name: 'Sign out Chrome' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByText(/^Ended the session in Chrome/).waitFor();
    await page.getByRole('button', { name: 'Sign out Chrome' }).waitFor({ state: 'detached' });
    await elsewhere.goto('/account');
    await signIn(elsewhere, { email, password: PASSWORD });
    await elsewhere.getByRole('heading', { name: 'Your account' }).waitFor();

    await page.getByLabel('Current password').fill('not this one at all');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Wrong current password').waitFor();
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    expect(await page.getByLabel('New password').inputValue()).toBe('');
    await elsewhere.reload();
    await signIn(elsewhere, { email, password: NEW_PASSWORD });
    await elsewhere.getByRole('heading', { name: 'Your account' }).waitFor();
  });

  test('a service token is shown once, manages cellars, and is rejected after its revocation', async () => {
    const harness = onHarness();
    const page = await harness.signedIn();
    await page.goto('/');
    await openFromUserMenu(page, 'Service tokens');
    const name = `script ${randomBytes(6).toString('hex')}`;
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Role').selectOption('owner');
    const options = await dialog.getByLabel('Expires').locator('option').allInnerTexts();
    expect(options).not.toContain('Never');
    // As if the last password confirmation were long ago.
    const required = { status: 'error', error: 'Confirm your password', code: 'password_required' };
    const byPost = (url: URL): boolean => url.pathname === '/api/v1/tokens';
    await page.route(byPost, (route) => route.fulfill({ status: 403, json: required }), { times: 1 });
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByLabel('Your password').fill(harness.run.admin.password);
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const secret = await page.getByLabel('Service token', { exact: true }).innerText();
    await page.getByRole('button', { name: 'Copy Service token' }).click();
    expect(await copied(page)).toBe(secret);
    await store(page);

    const list = () =>
      fetch(`${harness.run.dashboardUrl}/api/v1/cellars`, { headers: { authorization: `Bearer ${secret}` } });
    expect((await list()).status).toBe(200);
    await page.getByRole('row').filter({ hasText: name }).getByText('in 3 months').waitFor();
    expect(await everythingIn(page)).not.toContain(secret);

    await page.getByRole('button', { name: `Revoke ${name}` }).click();
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText(`Token “${name}” revoked`).waitFor();
    expect((await list()).status).toBe(401);
  });
});

/** @returns the link, as the page shows and copies it */
async function invite(page: Page, email: string, cellar: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite user' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('combobox', { name: 'Cellars' }).fill(cellar);
  await page.getByRole('option', { name: cellar }).click();
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Create invite link' }).click();
  const link = await page.getByLabel('Link', { exact: true }).innerText();
  await page.getByRole('button', { name: 'Copy Link' }).click();
  expect(await copied(page)).toBe(link);
  await page.getByRole('button', { name: 'I have sent it' }).click();
  await page.getByRole('row').filter({ hasText: email }).waitFor();
  return link;
}
