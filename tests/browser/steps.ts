import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';

/** What a person does on several pages. */

export const newName = (): string => `cellar-${randomBytes(6).toString('hex')}`;

export async function signIn(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** From the list of cellars to the keys of a new one. */
export async function createCellar(page: Page): Promise<string> {
  const cellar = newName();
  await page.getByRole('button', { name: 'Create cellar' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(cellar);
  await dialog.getByRole('button', { name: 'Create cellar' }).click();
  await page.getByRole('heading', { name: cellar }).waitFor();
  return cellar;
}

/** @returns the key, as the page shows it */
export async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create New Key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create key' }).click();
  return page.getByLabel('API key', { exact: true }).innerText();
}

/** Leaves the dialog that shows an API key or a service token. */
export const store = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'I have stored it' }).click();

export const copied = (page: Page): Promise<string> =>
  page.evaluate<string>('navigator.clipboard.readText()');

/** Opens a page that belongs to the person and to no cellar. */
export async function openFromUserMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Cellarman' }).waitFor();
}

/** All that a page shows and keeps. */
export async function everythingIn(page: Page): Promise<string> {
  const kept = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])',
  );
  return (await page.content()) + kept;
}
