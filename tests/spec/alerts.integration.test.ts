import { readFile } from 'node:fs/promises';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import { parse } from 'yaml';
import { signIn } from './client/administrator.ts';
import { send } from './client/ingest.ts';
import { readingOf } from './client/reading.ts';

const file = new URL('../../deploy/helm/cellarman/files/alerts.yaml', import.meta.url);
const { groups } = parse(await readFile(file, 'utf8')) as {
  groups: { rules: { alert: string; expr: string }[] }[];
};
const rules = groups.flatMap((group) => group.rules);

beforeAll(async () => {
  const cellar = await (await signIn()).openCellar();
  const { secret } = await cellar.createKey({ scopes: ['ingest', 'read'] });
  await send(JSON.stringify(readingOf(cellar.name)), { apiKey: secret });
  const path = `/api/v1/query/cellars/${cellar.name}/latest`;
  await fetch(inject('product').queryUrl + path, { headers: { 'x-api-key': secret } });
});

async function exportedMetrics(): Promise<Set<string>> {
  const { ingestUrl, keyServiceUrl, queryUrl, sinkUrl } = inject('product');
  const texts = await Promise.all(
    [ingestUrl, keyServiceUrl, queryUrl, sinkUrl].map(async (url) => (await fetch(`${url}/metrics`)).text()),
  );
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/^([a-z_]+)[{ ]/gm)].map(([, name]) => name ?? '')),
  );
}

test.each(rules)('$alert looks at metrics that the services export', async ({ expr }) => {
  const named = [...expr.matchAll(/\b(?:ingest|key_service|query|sink|nodejs)_[a-z_]+/g)].map(
    ([name]) => name,
  );
  if (named.length === 0) {
    // Prometheus makes this one by itself.
    expect(expr).toMatch(/^up\{/);
    return;
  }
  await vi.waitFor(
    async () => expect([...(await exportedMetrics())]).toEqual(expect.arrayContaining(named)),
    {
      timeout: 30_000,
      interval: 250,
    },
  );
});
