import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { newName } from './steps.ts';

export interface Sender {
  cellar: string;
  apiKey: string;
}

/** A cellar of its own by the API, for tests of other pages. */
export async function newCellar({ request }: Page): Promise<string> {
  const cellar = newName();
  const created = await request.post('/api/v1/cellars', { data: { name: cellar } });
  expect(created.status(), await created.text()).toBe(201);
  return cellar;
}

/** @returns a key by the API */
export async function newKey({ request }: Page, cellar: string, name: string): Promise<string> {
  const created = await request.post(`/api/v1/cellars/${cellar}/keys`, { data: { name } });
  expect(created.status(), await created.text()).toBe(201);
  return ((await created.json()) as { secret: string }).secret;
}

/** A cellar with a key, as `sendReading` takes them. */
export async function newSender(page: Page, name = 'press'): Promise<Sender> {
  const cellar = await newCellar(page);
  return { cellar, apiKey: await newKey(page, cellar, name) };
}

/**
 * Waits until queries see this number of readings of the last hour. Without one the overview is another page, and some
 * pages are refreshed once a minute only.
 */
export async function untilStored({ request }: Page, cellar: string, count = 1): Promise<void> {
  const stored = async () => {
    const overview = await request.get(`/api/v1/query/cellars/${cellar}/overview`);
    return ((await overview.json()) as { readingsLastHour: number }).readingsLastHour;
  };
  await expect.poll(stored, { timeout: 30_000 }).toBeGreaterThanOrEqual(count);
}
