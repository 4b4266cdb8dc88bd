import { startService } from '@cellarman/lifecycle';
import { expect, test } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { query as definition } from '../src/start.ts';

test('metrics and the reasons of /readyz are on OPERATIONS_PORT alone', async () => {
  const config = loadConfig({
    ...{ PORT: '0', OPERATIONS_PORT: '0', DEREGISTRATION_DELAY_MS: '0', LOG_LEVEL: 'silent' },
    ...{ KEY_SERVICE_URL: 'http://127.0.0.1:9', CLICKHOUSE_URL: 'http://127.0.0.1:9' },
    INTERNAL_TOKEN: 'token-of-the-services',
  });
  const query = await startService(definition, config);
  expect((await fetch(`${query.url}/metrics`)).status).toBe(404);
  expect(await (await fetch(`${query.url}/readyz`)).json()).toEqual({ ready: false });

  expect(await (await fetch(`${query.operationsUrl}/metrics`)).text()).toContain('cellarman_query_running');
  expect(await (await fetch(`${query.operationsUrl}/readyz`)).json()).toMatchObject({
    ready: false,
    parts: { clickhouse: { ready: false } },
  });
  await query.stop((_name, run) => run());
  await expect(fetch(`${query.operationsUrl}/livez`)).rejects.toThrow('fetch failed');
});
