import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { beforeAll, expect, inject, test } from 'vitest';
import { signIn } from './client/owner.ts';
import type { Cellar } from './client/owner.ts';

const run = promisify(execFile);
const program = new URL('../../deploy/helm/cellarman/files/test.mjs', import.meta.url);

let cellar: Cellar;

beforeAll(async () => {
  cellar = await (await signIn()).openCellar();
});

/** As the pod of `helm test` does. */
async function helmTest(environment: Record<string, string>): Promise<{ code: number; said: string }> {
  const { ingestUrl, keyServiceUrl, queryUrl } = inject('product');
  const source = await readFile(program, 'utf8');
  const env = { INGEST_URL: ingestUrl, KEY_SERVICE_URL: keyServiceUrl, QUERY_URL: queryUrl, ...environment };
  return run(process.execPath, ['--input-type=module', '--eval', source], { env }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: unknown) => {
      const { code, stdout } = error as { code: number; stdout: string };
      return { code, said: stdout };
    },
  );
}

test('helm test passes when all services respond and a reading that was posted can be read back', async () => {
  const { secret } = await cellar.createKey({ scopes: ['ingest', 'read'] });
  const { code, said } = await helmTest({ CELLAR: cellar.name, API_KEY: secret });
  expect(said.trim().split('\n')).toEqual([
    '✓ key-service is ready',
    '✓ the dashboard is served',
    '✓ query is ready',
    '✓ ingest asks for a key',
    '✓ a reading that is posted can be read back',
  ]);
  expect(code).toBe(0);
});

test('helm test fails and says what is wrong', async () => {
  const { secret } = await cellar.createKey({ scopes: ['ingest'] });
  const { code, said } = await helmTest({ CELLAR: cellar.name, API_KEY: secret });
  expect(said).toContain('✗ a reading that is posted can be read back');
  expect(said).toContain('answered 403 instead of 200');
  expect(code).toBe(1);
});
