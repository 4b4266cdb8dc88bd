import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { READINGS_TOPIC } from '@cellarman/contracts';
import { createKafkaProducer, silentLogger } from '@cellarman/kafka';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createServiceToken, runCellarman, startCellarman, untilItSays } from './run-cellarman.ts';
import type { Environment } from './run-cellarman.ts';

/* The command against the whole product, as an operator uses it. */

const product = inject('product');
const cellar = `cli-${randomBytes(4).toString('hex')}`;
let directory: string;
let env: Environment;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cellarman-cli-'));
  const { secret } = await createServiceToken(product.keyServiceUrl, product.admin);
  env = {
    CELLARMAN_URL: product.keyServiceUrl,
    CELLARMAN_INGEST_URL: product.ingestUrl,
    CELLARMAN_TOKEN: secret,
    KAFKA_BROKERS: product.kafkaBrokers.join(),
    CLICKHOUSE_URL: product.clickhouseUrl,
    CLICKHOUSE_USER: product.clickhouseUser,
    CLICKHOUSE_PASSWORD: product.clickhousePassword,
    CLICKHOUSE_DATABASE: product.clickhouseDatabase,
  };
  expect(await cellarman('cellars', 'create', cellar, '--retention-days', '30')).toMatchObject({
    code: 0,
    stdout: `Created cellar ${cellar}. It keeps readings for 30 days.\n`,
  });
  const { stdout } = await cellarman('keys', 'create', cellar, 'both', '--scopes', 'ingest,read');
  env['CELLARMAN_API_KEY'] = stdout.trim();
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

const cellarman = (...args: string[]) => runCellarman(args, env);

interface KeyJson {
  id: string;
  name: string;
  state: string;
  expiresAt: string | null;
}

async function keysIn(state: string): Promise<KeyJson[]> {
  const { stdout } = await cellarman('keys', 'list', cellar, '--state', state, '--json');
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as KeyJson);
}

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const now = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z');

const reading = (rack: string, keg: string, value: number): string =>
  JSON.stringify({ cellar, rack, keg, value, timestamp: now() });

describe('claim codes', () => {
  test('are created, exchanged for a key of one rack, listed, and revoked with that key', async () => {
    const options = ['--keys', '2', '--expires', '1d', '--rack-prefix', 'sensor-'];
    const made = await cellarman('claim-codes', 'create', cellar, 'sensors', ...options);
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('shown only once') as string });
    const body = { claimCode: made.stdout.trim(), rack: 'sensor-1', deviceSecret: 'x'.repeat(32) };
    const claimed = await post(`${product.keyServiceUrl}/api/v1/claims`, body);
    expect(claimed.status).toBe(201);
    const { apiKey } = (await claimed.json()) as { apiKey: string };
    const send = async (rack: string) => {
      const body = JSON.parse(reading(rack, 'k', 1)) as object;
      return (await post(`${product.ingestUrl}/api/v1/ingest`, body, { 'x-api-key': apiKey })).status;
    };
    expect([await send('sensor-1'), await send('sensor-2')]).toEqual([200, 403]);
    const { stdout } = await cellarman('claim-codes', 'list', cellar);
    expect(stdout).toMatch(/ sensors +cmc_\w{4}… +active +sensor-\* +1 of 2 +1 /);
    const [id = ''] = stdout.split('\n')[1]?.split(' ') ?? [];
    expect(await cellarman('claim-codes', 'revoke', cellar, id, '--with-keys')).toMatchObject({
      code: 0,
      stdout: `Claim code ${id} “sensors” is revoked. Revoked keys: 1.\n`,
    });
    await vi.waitFor(async () => expect(await send('sensor-1')).toBe(401), { timeout: 10_000 });
  });
});

describe('cellars', () => {
  test('are listed for people and for programs', async () => {
    const table = await cellarman('cellars', 'list', '--search', cellar);
    expect(table.stdout).toMatch(new RegExp(`^NAME .*\n${cellar} +30 days +none +1 `));
    const { stdout } = await cellarman('cellars', 'list', '--search', cellar, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ name: cellar, retentionDays: 30, activeKeys: 1 });
  });

  test('a name that is taken is rejected with the code and 1', async () => {
    const { code, stdout, stderr } = await cellarman('cellars', 'create', cellar);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^cellarman: conflict: .+\n$/);
  });
});

describe('keys', () => {
  test('only the secret goes to standard output, and the key sends', async () => {
    const options = ['--rack-prefix', 'boiler-', '--expires', '90d', '--rate', '50'];
    const { code, stdout, stderr } = await cellarman('keys', 'create', cellar, 'boilers', ...options);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^cm_[0-9A-Za-z]{36}\n$/);
    expect(stderr).not.toContain(stdout.trim());
    const [key] = await keysIn('active');
    expect(key).toMatchObject({
      name: 'boilers',
      rackPrefix: 'boiler-',
      rateLimit: { perSecond: 50, burst: 50 },
    });

    const sender = { ...env, CELLARMAN_API_KEY: stdout.trim() };
    const allowed = await runCellarman(['send', reading('boiler-7', 'temperature', 21.5)], sender);
    expect(allowed).toMatchObject({ code: 0, stderr: '' });
    expect(allowed.stdout).toMatch(/^Data ingested successfully, received at \S+Z\n$/);
    const rejected = await runCellarman(['send', reading('press-1', 'temperature', 21.5)], sender);
    expect(rejected).toMatchObject({ code: 1, stdout: '' });
    expect(rejected.stderr).toMatch(/^cellarman: rack_mismatch: .+\n$/);
  });

  test('rotation gives a new secret and lets the old key end', async () => {
    const made = await cellarman('keys', 'create', cellar, 'rotated', '--json');
    const { key, secret } = JSON.parse(made.stdout) as { key: KeyJson; secret: string };
    const { code, stdout } = await cellarman('keys', 'rotate', cellar, key.id, '--overlap', '1h');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^cm_[0-9A-Za-z]{36}\n$/);
    expect(stdout.trim()).not.toBe(secret);
    const both = (await keysIn('active')).filter(({ name }) => name === 'rotated');
    expect(both).toMatchObject([{ rotatedFrom: key.id, expiresAt: null }, { id: key.id }]);
    expect(both[1]?.expiresAt).not.toBeNull();
  });

  test('a revoked key is rejected, and the command says so with 1', async () => {
    const made = await cellarman('keys', 'create', cellar, 'leaked', '--json');
    const { key, secret } = JSON.parse(made.stdout) as { key: KeyJson; secret: string };
    expect(await cellarman('keys', 'revoke', cellar, key.id)).toMatchObject({
      code: 0,
      stdout: `Key ${key.id} “leaked” is revoked.\n`,
    });
    expect(await keysIn('revoked')).toContainEqual(expect.objectContaining({ id: key.id, state: 'revoked' }));
    await vi.waitFor(
      async () => {
        const sent = await runCellarman(['send', reading('r', 'k', 1)], {
          ...env,
          CELLARMAN_API_KEY: secret,
        });
        expect(sent).toMatchObject({ code: 1, stderr: 'cellarman: HTTP 401: Invalid API key\n' });
      },
      { timeout: 20_000 },
    );
  });
});

describe('readings', () => {
  test('show as the latest value, and while they come', async () => {
    const tail = startCellarman(['tail', cellar, '--rack', 'cellar-door'], env);
    try {
      await untilItSays(tail, 'following');
      expect((await cellarman('send', reading('other-door', 'temperature', 1))).code).toBe(0);
      expect((await cellarman('send', reading('cellar-door', 'temperature', 11.25))).code).toBe(0);
      await untilItSays(tail, '11.25');
      tail.child.kill('SIGINT');
      expect(await tail.exit).toBe(130);
      expect(tail.stdout()).toMatch(/^\S+Z {2}cellar-door {2}temperature {2}11.25\n$/);
    } finally {
      tail.child.kill('SIGKILL');
    }
    await vi.waitFor(
      async () => {
        const { stdout } = await cellarman('latest', cellar, '--rack', 'cellar-door');
        expect(stdout).toMatch(/^RACK +KEG .*\ncellar-door +temperature +11.25 /);
      },
      { timeout: 20_000 },
    );
  });

  test('of a CSV file: what is rejected is reported with line and code, the rest is stored and verified', async () => {
    const begun = new Date(Date.now() - 1_000).toISOString();
    const file = join(directory, 'readings.csv');
    const rows = Array.from({ length: 2_500 }, (_, i) => `press-${i % 5},force,${i}.50,${now()}`);
    rows[1_233] = `press-3,force,much,${now()}`;
    rows[2_000] = `press-3,force,7,yesterday`;
    rows[2_100] = `press-3,force`;
    await writeFile(file, `rack,keg,value,timestamp\n${rows.join('\n')}\n`);
    const { code, stdout, stderr } = await cellarman('send', '--file', file, '--cellar', cellar);
    expect(stdout.split('\n').toSorted()).toEqual([
      '',
      expect.stringMatching(/^line 1235: invalid_reading: .*value/) as string,
      expect.stringMatching(/^line 2002: invalid_reading: .*timestamp/) as string,
      expect.stringMatching(/^line 2102: invalid_reading: /) as string,
    ]);
    expect(stderr).toBe('2,497 acknowledged, 3 rejected, 0 failed\n');
    expect(code).toBe(1);
    const verified = await cellarman('verify', '--from', begun, '--wait', '30');
    expect(verified.stdout).toContain('missing 0, duplicated 0, altered 0: the view matches the topic');
    expect(verified.code).toBe(0);
  });

  test('of a file are sent to its end when the reader of the output is gone, which is a failure', async () => {
    const file = join(directory, 'unread.csv');
    const rows = Array.from({ length: 4_000 }, (_, i) =>
      // What is printed for the first ones is more than a pipe holds.
      i < 3_000 ? `unread,force,much,${now()}` : `unread,force,${i},${now()}`,
    );
    await writeFile(file, `rack,keg,value,timestamp\n${rows.join('\n')}\n`);
    const running = startCellarman(['send', '--file', file, '--cellar', cellar], env);
    running.child.stdout?.once('data', () => running.child.stdout?.destroy());
    expect(await running.exit).toBe(1);
    expect(running.stderr()).toContain('the output was closed');
    expect(running.stderr()).toContain('1,000 acknowledged, 3,000 rejected, 0 failed');
  });

  test('of standard input', async () => {
    const lines = [reading('stdin', 'a', 1), '', '{"cellar":', reading('stdin', 'b', 2)].join('\n');
    const sent = await runCellarman(['send', '--file', '-', '--format', 'ndjson', '--json'], env, lines);
    expect(sent.code).toBe(1);
    const [rejected, count] = sent.stdout.split('\n');
    expect(JSON.parse(rejected ?? '')).toMatchObject({ line: 3, code: 'invalid_json', retryable: false });
    expect(JSON.parse(count ?? '')).toEqual({ acknowledged: 2, rejected: 1, failed: 0 });
  });
});

describe('dead letters', () => {
  test('of another program are listed, shown, replayed with a dry run before it, and discarded', async () => {
    const connection = { brokers: product.kafkaBrokers, clientId: 'cli-test', logger: silentLogger };
    const producer = createKafkaProducer({ connection, topics: [READINGS_TOPIC] });
    await producer.connect();
    const text = `not a reading of ${cellar}`;
    const messages = [1, 2].map((n) => ({ key: cellar, value: Buffer.from(`${text} ${n}`) }));
    await producer.send(READINGS_TOPIC, [{ partition: 0, messages }]);
    await producer.disconnect();

    const mine = async () => {
      const { stdout } = await cellarman('dead-letters', 'list', '--json');
      const lines = stdout.split('\n').filter((line) => line.includes(text));
      return lines.map((line) => JSON.parse(line) as { id: string; reason: string });
    };
    await vi.waitFor(async () => expect(await mine()).toHaveLength(2), { timeout: 60_000, interval: 500 });
    const ids = (await mine()).map(({ id }) => id);
    expect((await cellarman('dead-letters', 'show', ids[0] ?? '')).stdout).toMatch(
      /reason +.*JSON[^]*origin +cellarman.readings.v1, partition 0, offset \d+[^]*not a reading of/,
    );
    const hex = await cellarman('dead-letters', 'show', ids[0] ?? '', '--hex');
    expect(hex.stdout).toContain(Buffer.from(text).toString('hex'));
    expect(await cellarman('dead-letters', 'replay', ...ids, '--dry-run')).toMatchObject({
      ...{ code: 0, stdout: '2 would be selected. Nothing was changed.\n' },
    });
    expect(await cellarman('dead-letters', 'replay', ...ids)).toMatchObject({
      ...{ code: 1, stdout: 'Stored 0 of 2.\n' },
    });
    expect(await mine()).toHaveLength(2);
    expect(await cellarman('dead-letters', 'discard')).toMatchObject({ code: 2 });
    expect(await cellarman('dead-letters', 'discard', ...ids)).toMatchObject({ stdout: 'Discarded 2.\n' });
    expect(await mine()).toEqual([]);
  });
});
