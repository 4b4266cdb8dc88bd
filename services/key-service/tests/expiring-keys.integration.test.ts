import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeCellar, makeKey } from './made.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startServiceUnderTest();
});
afterAll(() => service.stop());

test('keys that expire within a week count while somebody uses them', async () => {
  const { name } = await makeCellar(service);
  const given = [
    ['in use', '3 days', '1 hour'],
    ['just within the week and the day', '6 days 23 hours', '23 hours'],
    ['later', '8 days', '1 hour'],
    ['not used lately', '3 days', '2 days'],
    ['never used', '3 days', null],
    ['expired already', '-1 hour', '1 hour'],
    ['without an end', null, '1 hour'],
    ['revoked', '3 days', '1 hour'],
  ] as const;
  for (const [label, expiresIn, usedAgo] of given) {
    const key = await makeKey(service, name, { name: label });
    await service.pool.query(
      `UPDATE api_keys SET expires_at = now() + $2::interval, last_used_at = now() - $3::interval,
              revoked_at = CASE WHEN name = 'revoked' THEN now() END
       WHERE id = $1`,
      [key.id, expiresIn, usedAgo],
    );
  }

  const archived = await makeCellar(service);
  const key = await makeKey(service, archived.name);
  await service.pool.query(
    `UPDATE api_keys SET expires_at = now() + interval '3 days', last_used_at = now() WHERE id = $1`,
    [key.id],
  );
  await service.admin.call('POST', `/api/v1/cellars/${archived.name}/archive`);

  // Each replica counts when it starts, and once a minute.
  const replica = await service.startReplica();
  try {
    await vi.waitFor(
      async () => {
        const metrics = await (await fetch(`${replica.url}/metrics`)).text();
        expect(metrics).toMatch(/^cellarman_key_service_expiring_keys 2$/m);
      },
      { timeout: 20_000, interval: 50 },
    );
  } finally {
    await replica.stop();
  }
});
