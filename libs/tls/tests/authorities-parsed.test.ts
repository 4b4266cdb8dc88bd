import crypto from 'node:crypto';
import fs from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { followAuthorities } from '../src/index.ts';
import type { Followed } from '../src/index.ts';
import { createLines } from './lines.ts';
import { mountSecret } from './mounted-secret.ts';
import { createTestAuthority } from './test-authority.ts';

const parsed = vi.spyOn(crypto, 'X509Certificate');
const readFileSync = vi.spyOn(fs, 'readFileSync');
syncBuiltinESMExports();
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

let followed: Followed | undefined;
afterEach(() => followed?.stop());

test('authorities are parsed once for each content of their file, however often it is looked at', async () => {
  const secret = await mountSecret();
  const { certificate } = await createTestAuthority('the only one');
  await secret.write({ authorities: certificate });
  const logger = createLines();
  followed = followAuthorities({ file: secret.authoritiesFile, logger, everyMs: 1 });
  const looks = readFileSync.mock.calls.length;
  await expect.poll(() => readFileSync.mock.calls.length).toBeGreaterThan(looks + 5);
  expect(parsed).toHaveBeenCalledTimes(1);

  await appendFile(secret.authoritiesFile, certificate);
  await expect.poll(() => logger.lines).toHaveLength(1);
  expect(parsed).toHaveBeenCalledTimes(3);
  await secret.remove();
});
