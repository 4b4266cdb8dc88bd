import { beforeAll, expect, test, vi } from 'vitest';
import { signIn } from './client/owner.ts';
import type { Owner } from './client/owner.ts';
import { send } from './client/ingest.ts';
import { readingOf, secondsAgo } from './client/reading.ts';
import { storedReadings, waitForReadings } from './client/stored-readings.ts';
import { requirement } from './requirements/requirement.ts';

const DAY = 86_400;
/** Refills so slowly that a test never sees a second token. */
const THREE_AT_ONCE = { perSecond: 0.001, burst: 3 };

let owner: Owner;

beforeAll(async () => {
  owner = await signIn();
});

test(
  requirement(
    ['limits.rate', 'auth.rate-limited', 'service.limits-exist', 'limits.rate-answer', 'code.rate_limited'],
    'beyond the burst a key is rejected, with Retry-After',
  ),
  async () => {
    const cellar = await owner.openCellar();
    const limited = await cellar.createKey({ rateLimit: THREE_AT_ONCE });
    const free = await cellar.createKey();
    const sendWith = (apiKey: string) => send(JSON.stringify(readingOf(cellar.name)), { apiKey });
    for (let count = 0; count < 3; count++) expect((await sendWith(limited.secret)).status).toBe(200);

    const { status, headers, body } = await sendWith(limited.secret);
    expect(status).toBe(429);
    expect(body).toEqual({ status: 'error', error: expect.any(String) as string, code: 'rate_limited' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('ratelimit-policy')).toMatch(/q=3\b/);
    expect(headers.get('ratelimit')).toMatch(/r=0\b/);
    expect((await sendWith(free.secret)).status, 'another key of the same cellar').toBe(200);
  },
);

test(requirement('limits.rate', 'a rejected reading counts too'), async () => {
  const cellar = await owner.openCellar();
  const { secret } = await cellar.createKey({ rateLimit: THREE_AT_ONCE });
  for (let count = 0; count < 3; count++) expect((await send('{}', { apiKey: secret })).status).toBe(400);
  expect((await send('{}', { apiKey: secret })).status).toBe(429);
});

test(
  requirement(
    ['limits.retention', 'service.limits-exist'],
    'a cellar keeps readings for 90 days, or for as long as it is set to; older ones are rejected',
  ),
  async () => {
    const usual = await owner.openCellar();
    const short = await owner.openCellar({ retentionDays: 7 });
    for (const [cellar, days] of [
      [usual, 90],
      [short, 7],
    ] as const) {
      const { secret } = await cellar.createKey();
      const sendFrom = (age: number) =>
        send(JSON.stringify(readingOf(cellar.name, { timestamp: secondsAgo(age) })), { apiKey: secret });
      expect((await sendFrom(days * DAY - 600)).status).toBe(200);
      expect(await sendFrom(days * DAY + 600)).toMatchObject({
        status: 400,
        body: { code: 'timestamp_out_of_range' },
      });
    }
  },
);

test(
  requirement(
    'limits.retention',
    'a shortened retention hides what is older, a lengthened one shows it again',
  ),
  async () => {
    const cellar = await owner.openCellar({ retentionDays: 30 });
    const { secret } = await cellar.createKey();
    for (const timestamp of [secondsAgo(3 * DAY), secondsAgo(20 * DAY)]) {
      const reading = readingOf(cellar.name, { timestamp });
      expect((await send(JSON.stringify(reading), { apiKey: secret })).status).toBe(200);
    }
    await waitForReadings(cellar.name, 2);
    const keep = (retentionDays: number) =>
      owner.ask('PATCH', `/api/v1/cellars/${cellar.name}`, { retentionDays });
    const waitForCount = (count: number) =>
      vi.waitFor(async () => expect(await storedReadings(cellar.name)).toHaveLength(count), {
        timeout: 30_000,
        interval: 200,
      });

    expect((await keep(7)).status).toBe(200);
    await waitForCount(1);
    expect((await keep(30)).status).toBe(200);
    await waitForCount(2);
  },
);
