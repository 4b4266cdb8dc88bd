import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashApiKey } from '@cellarman/api-key';
import { LOOKUP_PATH, MAX_HASHES_PER_LOOKUP } from '@cellarman/contracts';
import type { KeyRecord, LookupResponse } from '@cellarman/contracts';
import { forwardUnchanged, startHttpProxy } from '@cellarman/local-stack';
import type { Exchange, HttpProxy } from '@cellarman/local-stack';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeCellar } from '../../../services/key-service/tests/made.ts';
import { ADMIN, startServiceUnderTest } from '../../../services/key-service/tests/service-under-test.ts';
import type { ServiceUnderTest } from '../../../services/key-service/tests/service-under-test.ts';
import { createServiceToken, runCellarman, startCellarman, untilItSays } from './run-cellarman.ts';
import type { Environment } from './run-cellarman.ts';

/* Thousands of keys, made by a command that may be killed. key-service and its engines are real. */

let service: ServiceUnderTest;
/** Stands between the command and key-service. */
let proxy: HttpProxy;
/** What becomes of each request to create a key. */
let onCreation: (exchange: Exchange) => Promise<void>;
/** Without it key-service is of the previous version: each key has its own request. */
let hasBulk: boolean;
let env: Environment;
let directory: string;
let cellar: string;
let rowsFile: string;
let out: string;

beforeAll(async () => {
  service = await startServiceUnderTest();
  proxy = await startHttpProxy(service.url, async (exchange) => {
    const isBulk = exchange.path.endsWith('/key-batches');
    if (isBulk && !hasBulk) {
      exchange.reply(405, {}, NOT_ALLOWED);
      return;
    }
    const isCreation = exchange.method === 'POST' && (isBulk || exchange.path.endsWith('/keys'));
    await (isCreation ? onCreation(exchange) : forwardUnchanged(exchange));
  });
  const { secret } = await createServiceToken(service.url, ADMIN);
  env = { CELLARMAN_URL: proxy.url, CELLARMAN_TOKEN: secret };
  directory = await mkdtemp(join(tmpdir(), 'cellarman-import-'));
});

afterAll(async () => {
  await proxy.close();
  await service.stop();
  await rm(directory, { recursive: true });
});

beforeEach(async () => {
  onCreation = forwardUnchanged;
  hasBulk = true;
  cellar = (await makeCellar(service)).name;
  rowsFile = join(directory, `${cellar}.csv`);
  out = join(directory, `${cellar}-secrets.csv`);
});

const importArgs = (...more: string[]): string[] => [
  ...['keys', 'import', rowsFile, '--cellar', cellar, '--out', out],
  ...more,
];
const importKeys = (...more: string[]) => runCellarman(importArgs(...more), env);

async function writeRows(count: number, expires: Record<number, string> = {}): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => `"boiler, ${i}",boiler-${i}-,${expires[i] ?? ''}`);
  await writeFile(rowsFile, `name,rack_prefix,expires\n${rows.join('\n')}\n`);
}

interface Saved {
  name: string;
  key_id: string;
  secret: string;
}

const saved = (): Saved[] => parse(readFileSync(out), { columns: true });

interface Listed {
  id: string;
  name: string;
  rackPrefix: string | null;
}

async function keysIn(state: string): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const path: string = `/api/v1/cellars/${cellar}/keys?state=${state}&limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { body } = await service.admin.call<{ keys: Listed[]; nextCursor: string | null }>('GET', path);
    all.push(...body.keys);
    cursor = body.nextCursor;
  }
  return all;
}

/** What ingest would learn of the secrets that were saved. */
async function lookUp(secrets: readonly string[]): Promise<(KeyRecord | null | undefined)[]> {
  const records: (KeyRecord | null | undefined)[] = [];
  for (let first = 0; first < secrets.length; first += MAX_HASHES_PER_LOOKUP) {
    const hashes = secrets.slice(first, first + MAX_HASHES_PER_LOOKUP).map(hashApiKey);
    const { body } = await service.internal<LookupResponse>('POST', LOOKUP_PATH, { hashes });
    records.push(...body.answers.map((answer) => answer?.key));
  }
  return records;
}

/** Each row has exactly one active key, and the secret in the file opens it. */
async function expectOneKeyPerRow(count: number): Promise<void> {
  const inFile = saved();
  const active = await keysIn('active');
  expect(inFile).toHaveLength(count);
  expect(active).toHaveLength(count);
  expect(new Set(active.map(({ name }) => name)).size).toBe(count);
  const byId = new Map(active.map((key) => [key.id, key]));
  const records = await lookUp(inFile.map(({ secret }) => secret));
  for (const [place, { name, key_id }] of inFile.entries()) {
    expect(byId.get(key_id)?.name).toBe(name);
    expect(records[place]).toMatchObject({ id: key_id, cellar, revokedAt: null });
  }
}

const NOT_ALLOWED = '{"status":"error","error":"use another method","code":"method_not_allowed"}';
const LATER = '{"status":"error","error":"later","code":"unavailable"}';
const MOMENTS = ['before it is made', 'before it is answered', 'after it is answered'] as const;

describe('an import', () => {
  test('that is killed again and again makes each key once and loses no secret', async () => {
    const rows = 120;
    hasBulk = false;
    await writeRows(rows);
    let told = '';
    for (const moment of MOMENTS) {
      const running = startCellarman(importArgs(), env);
      let left = 5 + Math.floor(Math.random() * 30);
      let isKilled = false;
      const kill = (): void => {
        isKilled = running.child.kill('SIGKILL') || isKilled;
      };
      onCreation = async (request) => {
        const isLast = left === 0;
        left -= 1;
        if (isLast && moment === 'before it is made') kill();
        await request.forward();
        if (isLast && moment === 'before it is answered') kill();
        request.respond();
        // At a random moment between the response and the write to disk.
        if (isLast && moment === 'after it is answered') setTimeout(kill, Math.random() * 4);
      };
      expect(await running.exit, `${moment}: ${running.stderr()}`).toBeNull();
      expect(isKilled).toBe(true);
      told += running.stderr();
    }
    onCreation = forwardUnchanged;
    const last = await importKeys();
    told += last.stderr;
    expect(last).toMatchObject({ code: 0, stdout: '' });
    await expectOneKeyPerRow(rows);
    // Killed before the response, at least one secret was lost: it is reported, and the key revoked.
    const lost = [...told.matchAll(/the secret of key (\S+) “boiler, \d+” was lost/g)].map(([, id]) => id);
    const revoked = (await keysIn('revoked')).map(({ id }) => id);
    expect(revoked.length).toBeGreaterThan(0);
    expect(lost.length).toBeGreaterThan(0);
    for (const id of lost) expect(revoked).toContain(id);
    expect((await readdir(directory)).filter((name) => name.endsWith('.import'))).toEqual([]);
    const again = await importKeys();
    expect(again.stderr).toContain('0 keys created, 120 created before');
  });

  test('creates up to 1,000 keys in a request', async () => {
    await writeRows(1_200);
    const requests: string[] = [];
    onCreation = async (request) => {
      requests.push(request.path);
      await forwardUnchanged(request);
    };
    expect(await importKeys()).toMatchObject({ code: 0 });
    expect(requests).toEqual(Array(2).fill(`/api/v1/cellars/${cellar}/key-batches`));
    await expectOneKeyPerRow(1_200);
    expect(await keysIn('revoked')).toEqual([]);
  });

  test('that is killed before the response with many keys replaces all of them', async () => {
    await writeRows(30);
    const running = startCellarman(importArgs(), env);
    onCreation = async (request) => {
      await request.forward();
      running.child.kill('SIGKILL');
      request.respond();
    };
    expect(await running.exit).toBeNull();
    onCreation = forwardUnchanged;
    const { code, stderr } = await importKeys();
    expect(code, stderr).toBe(0);
    expect(stderr.match(/was lost: revoked the key/g)).toHaveLength(30);
    expect(await keysIn('revoked')).toHaveLength(30);
    await expectOneKeyPerRow(30);
  });

  test('leaves a file that nobody else may read, also where it was not so', async () => {
    await writeRows(2);
    await writeFile(out, '');
    await chmod(out, 0o644);
    expect((await importKeys()).code).toBe(0);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
  });

  test('waits as Retry-After says, and requests the same again', async () => {
    hasBulk = false;
    await writeRows(20);
    const rejections = new Map([
      [3, 503],
      [7, 429],
      [11, 500],
    ]);
    let asked = 0;
    onCreation = async (request) => {
      const status = rejections.get(asked++);
      if (status === undefined) await forwardUnchanged(request);
      else request.reply(status, { 'retry-after': '1' }, LATER);
    };
    const { code, stderr } = await importKeys();
    expect(code, stderr).toBe(0);
    expect(asked).toBe(23);
    expect(await keysIn('revoked')).toEqual([]);
    await expectOneKeyPerRow(20);
  });

  test('ends in order on Ctrl-C: what was made is saved, and the same command goes on', async () => {
    hasBulk = false;
    await writeRows(100);
    const running = startCellarman(importArgs('--concurrency', '4'), env);
    let asked = 0;
    onCreation = async (request) => {
      asked += 1;
      if (asked === 20) running.child.kill('SIGINT');
      await forwardUnchanged(request);
    };
    expect(await running.exit, running.stderr()).toBe(130);
    expect(running.stderr()).toContain('Run the same command again to continue.');
    const made = await keysIn('active');
    expect(made.map(({ id }) => id).toSorted()).toEqual(
      saved()
        .map(({ key_id }) => key_id)
        .toSorted(),
    );
    expect((await importKeys()).code).toBe(0);
    expect(await keysIn('revoked')).toEqual([]);
    await expectOneKeyPerRow(100);
  });

  test('reports which rows are rejected, makes the others, and makes those when they are fixed', async () => {
    await writeRows(10, { 4: '2020-01-01' });
    const { code, stderr } = await importKeys();
    expect(code).toBe(1);
    expect(stderr).toContain('line 6: invalid_request: expiresAt must be in the future');
    expect(stderr).toContain('9 keys created, 0 created before, 1 rejected, 10 rows');
    await writeRows(11, { 4: '30d' });
    expect((await importKeys()).stderr).toContain('2 keys created, 9 created before, 0 rejected, 11 rows');
    await expectOneKeyPerRow(11);
  });

  test('is not made twice by another --out, nor by two runs at a time', async () => {
    await writeRows(5);
    const running = startCellarman(importArgs(), env);
    const goOn = Promise.withResolvers<undefined>();
    onCreation = async (request) => {
      await request.forward();
      running.child.stderr?.emit('data', Buffer.from('at work'));
      await goOn.promise;
      request.respond();
    };
    await untilItSays(running, 'at work');
    const second = await importKeys();
    goOn.resolve(undefined);
    expect(second).toMatchObject({ code: 2 });
    expect(second.stderr).toContain('another import is writing');
    expect(await running.exit).toBe(0);
    const elsewhere = await importKeys('--out', `${out}.csv`);
    expect(elsewhere).toMatchObject({ code: 2 });
    expect(elsewhere.stderr).toContain('5 names are used by active keys');
    await expectOneKeyPerRow(5);
  });

  test('takes neither changed rows, a lost file, nor a damaged one for new', async () => {
    await writeRows(3);
    expect((await importKeys()).code).toBe(0);
    const whole = await readFile(out, 'utf8');
    await writeRows(4, { 1: '30d' });
    expect((await importKeys()).stderr).toContain(
      '1 rows were changed after their keys were created, such as line 3',
    );
    await writeRows(3);
    await writeFile(out, whole.replace(/cm_.../, 'cm_***'));
    expect((await importKeys()).stderr).toContain('line 2 of');
    await rm(out);
    await writeFile(`${out}.import`, '00000000-0000-4000-8000-000000000000\n');
    expect((await importKeys()).stderr).toContain('the file with its secrets is missing');
    expect(await keysIn('active')).toHaveLength(3);
    expect(await keysIn('revoked')).toEqual([]);
  });
});
