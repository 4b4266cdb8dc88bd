import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { createApiClient } from '../../services/key-service/tests/api-client.ts';
import { run } from '../../services/key-service/tests/key-service-process.ts';
import type { KeyServiceProcess } from '../../services/key-service/tests/key-service-process.ts';
import { createTestDatabase } from '../../services/key-service/tests/test-database.ts';
import { startReceiver } from './receiver.ts';
import type { Receiver } from './receiver.ts';

const ADMIN = { email: 'admin@example.com', password: 'correct horse battery' };
const KEYS = 20;
const KILLS = 5;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: Pool;
let receiver: Receiver;
let env: Record<string, string>;
const replicas: KeyServiceProcess[] = [];

beforeAll(async () => {
  const engines = inject('engines');
  database = await createTestDatabase(engines.databaseUrl);
  pool = new Pool({ connectionString: database.url, max: 2 });
  // Dropping the database at the end cuts what is still idle.
  pool.on('error', () => {});
  receiver = await startReceiver();
  env = {
    ...{ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', DEREGISTRATION_DELAY_MS: '0' },
    DATABASE_URL: database.url,
    REDIS_URL: engines.redisUrl,
    REDIS_PREFIX: `alerts-killed:${randomBytes(5).toString('hex')}:`,
    INTERNAL_TOKEN: 'internal-token-of-the-tests',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ALERTS_INTERVAL_SECONDS: '1',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
  };
});
afterAll(async () => {
  for (const { child } of replicas) child.kill('SIGKILL');
  await Promise.all(replicas.map(({ exit }) => exit));
  await receiver.stop();
  await pool.end();
  await database.stop();
});

/** A cellar with keys in use and one rule about their expiry, which needs no readings. */
async function prepare(url: string): Promise<void> {
  const admin = await createApiClient(url);
  await admin.signIn(ADMIN.email, ADMIN.password);
  const create = async <Body>(path: string, body: object): Promise<Body> => {
    const answer = await admin.call<Body>('POST', path, body);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  await create('/api/v1/cellars', { name: 'c' });
  for (let key = 0; key < KEYS; key++) await create('/api/v1/cellars/c/keys', { name: `key ${key}` });
  const { destination } = await create<{ destination: { id: string } }>(
    '/api/v1/cellars/c/alert-destinations',
    { kind: 'webhook', name: 'receiver', url: receiver.url },
  );
  await create('/api/v1/cellars/c/alert-rules', {
    ...{ name: 'expiry', condition: { kind: 'key_expires', withinDays: 7 } },
    destinations: [destination.id],
  });
}

/** Gives some keys another expiry, so that alerts fire and are resolved. */
async function flip(): Promise<void> {
  await pool.query(
    `UPDATE api_keys SET last_used_at = now(), expires_at = CASE
       WHEN random() < 0.5 THEN now() + interval '1 day' ELSE now() + interval '100 days' END
     WHERE random() < 0.4`,
  );
}

const rows = async <Row extends object>(sql: string): Promise<Row[]> => (await pool.query<Row>(sql)).rows;

test('kill -9 of evaluating replicas loses no notification, and repeats one only with its id', async () => {
  replicas.push(run(env));
  await prepare((await replicas[0]?.url()) ?? '');
  replicas.push(run(env));
  await replicas[1]?.url();

  for (let kill = 0; kill < KILLS; kill++) {
    const until = performance.now() + 1_500 + Math.random() * 2_500;
    while (performance.now() < until) {
      await flip();
      await delay(150);
    }
    const victim = replicas[kill % 2];
    victim?.child.kill('SIGKILL');
    await victim?.exit;
    replicas[kill % 2] = run(env);
    await replicas[kill % 2]?.url();
  }

  await vi.waitFor(
    async () => {
      const [open] = await rows<{ open: number }>(
        `SELECT (SELECT count(*)::int FROM alert_notifications WHERE delivered_at IS NULL)
              + (SELECT count(*)::int FROM alerts WHERE state = 'pending') AS open`,
      );
      expect(open?.open).toBe(0);
    },
    { timeout: 60_000, interval: 250 },
  );

  const transitions = await rows<{ transition: string }>(
    `SELECT id || ' firing' AS transition FROM alerts WHERE fired_at IS NOT NULL
     UNION ALL SELECT id || ' resolved' FROM alerts WHERE state = 'resolved' ORDER BY 1`,
  );
  const bodies = new Map<string, string>();
  for (const { id, body } of receiver.received) {
    const text = JSON.stringify(body);
    expect(bodies.get(id) ?? text).toBe(text);
    bodies.set(id, text);
  }
  const delivered = [...bodies.values()].flatMap((text) =>
    (JSON.parse(text) as { data: { alerts: { id: string; state: string }[] } }).data.alerts.map(
      ({ id, state }) => `${id} ${state}`,
    ),
  );
  expect(delivered.toSorted()).toEqual(transitions.map(({ transition }) => transition).toSorted());
  expect(delivered.length).toBeGreaterThan(KILLS);
  // eslint-disable-next-line no-console -- the figures of this run
  console.log(
    `${KILLS} kills, ${transitions.length} transitions, ${bodies.size} notifications, ${receiver.received.length} deliveries`,
  );
}, 300_000);
