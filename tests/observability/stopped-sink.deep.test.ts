import { createClient } from '@clickhouse/client';
import { clickhouseLogin } from '@cellarman/local-stack';
import { expect, inject, test, vi } from 'vitest';
import { signalSinks } from '../browser/sinks.ts';
import { send } from '../spec/client/ingest.ts';
import { signIn } from '../spec/client/owner.ts';
import { readingOf } from '../spec/client/reading.ts';

/** The least that a rule accepts. */
const SILENT_SECONDS = 60;
const DEADLINE = { timeout: 100_000, interval: 250 };

interface Rule {
  pending: number;
  firing: number;
  problem: string | null;
  evaluatedAt: string | null;
}

/** Stores a reading that was received for the last time before the rule's time. */
async function storeOldReading(cellar: string): Promise<void> {
  const product = inject('product');
  const clickhouse = createClient({ ...clickhouseLogin(product), database: product.clickhouseDatabase });
  await clickhouse.command({
    query: `INSERT INTO readings_stored (cellar, rack, keg, value, timestamp, received_at, key_id)
      SELECT '${cellar}', 'r', 'k', 1, now64(9) - at, now64(3) - at, 'key'
      FROM (SELECT toIntervalSecond(${2 * SILENT_SECONDS}) AS at)`,
  });
  await clickhouse.close();
}

test('a stopped sink makes no rack silent', async () => {
  const owner = await signIn();
  const cellar = await owner.openCellar();
  const { secret } = await cellar.createKey();
  const path = `/api/v1/cellars/${cellar.name}`;
  const rule = async () => {
    const { body } = await owner.ask('GET', `${path}/alert-rules`);
    return (body['rules'] as Rule[])[0];
  };
  const fired = async () => (await owner.ask('GET', `${path}/alerts?state=fired`)).body['alerts'];

  try {
    await signalSinks({ dataDir: inject('productDataDir') }, 'SIGSTOP');
    const status = async () => (await owner.ask('GET', '/api/v1/pipeline/status')).body;
    await vi.waitFor(
      async () => expect(await status()).toMatchObject({ problem: 'Sink does not report' }),
      DEADLINE,
    );
    await storeOldReading(cellar.name);
    const reading = JSON.stringify(readingOf(cellar.name, { rack: 'r' }));
    expect(await send(reading, { apiKey: secret })).toMatchObject({ status: 200 });
    const created = await owner.ask('POST', `${path}/alert-rules`, {
      ...{ name: 'silent', destinations: [] },
      condition: {
        ...{ kind: 'rack_silent', rack: null, rackPrefix: null },
        ...{ silentForSeconds: SILENT_SECONDS, forgetAfterSeconds: 86_400 },
      },
    });
    expect(created.status).toBe(201);
    await vi.waitFor(async () => {
      expect(await rule()).toMatchObject({
        problem: 'Sink does not report: received readings may not be stored yet',
        evaluatedAt: expect.any(String) as string,
      });
    }, DEADLINE);
  } finally {
    await signalSinks({ dataDir: inject('productDataDir') }, 'SIGCONT');
  }
  await vi.waitFor(
    async () => expect(await rule()).toMatchObject({ problem: null, pending: 0, firing: 0 }),
    DEADLINE,
  );
  expect(await fired()).toEqual([]);
});
