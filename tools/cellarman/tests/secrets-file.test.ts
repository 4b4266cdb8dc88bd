import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateApiKey } from '@cellarman/api-key';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KeyRow } from '@cellarman/key-settings';
import { openSecretsFile } from '../src/import/secrets-file.ts';

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cellarman-secrets-'));
  path = join(directory, 'secrets.csv');
});
afterEach(() => rm(directory, { recursive: true }));

const row = (name: string): KeyRow => ({
  ...{
    line: 2,
    cellar: 'demo',
    name,
    rack: '',
    rack_prefix: 'a"b,',
    scopes: '',
    expires: '',
    rate: '',
    burst: '',
  },
});

async function write(names: readonly string[]): Promise<void> {
  const file = await openSecretsFile(path);
  await Promise.all(
    names.map((name) => file.append(row(name), { id: `id of ${name}`, secret: generateApiKey() })),
  );
  await file.close();
}

async function names(): Promise<string[]> {
  const file = await openSecretsFile(path);
  await file.close();
  return [...file.saved.values()].map(({ name }) => name);
}

test('returns what was saved, in a file for nobody else', async () => {
  await write(['a', 'ü, "x"']);
  await write(['c']);
  expect(await names()).toEqual(['a', 'ü, "x"', 'c']);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('cut anywhere, it returns the whole lines and goes on behind them', async () => {
  await write(['a', 'b']);
  const whole = await readFile(path);
  const ends = [...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at);
  for (let length = 0; length <= whole.length; length += 7) {
    await writeFile(path, whole.subarray(0, length));
    const kept = ['a', 'b'].slice(0, Math.max(0, ends.filter((end) => end < length).length - 1));
    expect(await names()).toEqual(kept);
    await write(['next']);
    expect(await names()).toEqual([...kept, 'next']);
  }
});

test('takes no line whose secret is mistyped', async () => {
  await write(['a', 'b']);
  const whole = await readFile(path, 'utf8');
  await writeFile(path, whole.replace(/.\n$/, '#\n'));
  await expect(openSecretsFile(path)).rejects.toThrow('line 3 of');
});

test.each(['somebody else\nwrote this\n', 'somebody else\nwrote this', '{"token":"x"}'])(
  'leaves another file as it is: %j',
  async (content) => {
    await writeFile(path, content, { mode: 0o644 });
    await expect(openSecretsFile(path)).rejects.toThrow('does not contain the secrets');
    expect(await readFile(path, 'utf8')).toBe(content);
    expect((await stat(path)).mode & 0o777).toBe(0o644);
  },
);

test('keeps a last line that lacks its end alone', async () => {
  await write(['a', 'b']);
  const whole = await readFile(path);
  await writeFile(path, whole.subarray(0, -1));
  expect(await names()).toEqual(['a', 'b']);
  expect(await readFile(path)).toEqual(whole);
});

test('is open once at a time, and free again after a rejection', async () => {
  const first = await openSecretsFile(path);
  await expect(openSecretsFile(path)).rejects.toThrow('another import is writing');
  await first.close();
  expect(await names()).toEqual([]);
});
