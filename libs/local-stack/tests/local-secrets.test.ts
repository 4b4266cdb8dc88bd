import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localSecrets } from '../src/product/local-secrets.ts';

test('secrets are random for each installation, kept, and for their owner alone', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cellarman-secrets-'));
  const other = await mkdtemp(join(tmpdir(), 'cellarman-secrets-'));
  const secrets = await localSecrets(directory);
  for (const [name, secret] of Object.entries(await localSecrets(other))) {
    expect(Object.values(secrets), name).not.toContain(secret);
  }
  expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length);
  expect(await localSecrets(directory)).toEqual(secrets);
  expect((await stat(join(directory, 'secrets.json'))).mode & 0o777).toBe(0o600);
  await Promise.all([directory, other].map((each) => rm(each, { recursive: true })));
});

test('secrets of a version that had no passwords of engines are kept, and get those', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cellarman-secrets-'));
  const earlier = { internalToken: 'a token', adminPassword: 'a password' };
  await writeFile(join(directory, 'secrets.json'), JSON.stringify(earlier));
  const secrets = await localSecrets(directory);
  expect(secrets).toMatchObject(earlier);
  expect(secrets.clickhousePassword).toMatch(/^[\w-]{24}$/);
  expect(await localSecrets(directory)).toEqual(secrets);
  await rm(directory, { recursive: true });
});
