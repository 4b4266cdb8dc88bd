import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { writeCertificate } from '../../../tests/observability/certificate-files.ts';
import { startScriptedIngest } from '../../arduino/tests/scripted-ingest.ts';
import { startDriver } from '../../conformance/tests/index.ts';
import { driver } from './python.ts';

const PATIENCE = { timeout: 10_000 };

test.skipIf(driver === undefined)('sends only to a server whose certificate is valid', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cellarman-python-tls-'));
  const files = await writeCertificate(folder, 1);
  const [cert, key] = await Promise.all([
    readFile(files.TLS_CERT_FILE, 'utf8'),
    readFile(files.TLS_KEY_FILE, 'utf8'),
  ]);
  const ingest = await startScriptedIngest({ cert, key });
  const options = {
    url: ingest.url,
    apiKey: 'cm_key',
    spool: join(folder, 'spool'),
    cellar: 'demo',
    retryMinMs: 10,
  };
  const strict = startDriver(driver ?? []);
  const trusting = startDriver(['env', `SSL_CERT_FILE=${files.TLS_CERT_FILE}`, ...(driver ?? [])]);
  try {
    await strict.send({ open: options });
    await strict.send({ put: [{ rack: 'r', keg: 'k', value: 1 }] });
    await vi.waitFor(async () => {
      const message = expect.stringContaining('certificate') as string;
      const lastError = { code: 'no_response', message };
      expect(await strict.send({ status: true })).toMatchObject({ ok: { waiting: 1, lastError } });
    }, PATIENCE);
    expect(ingest.batches).toEqual([]);
    await strict.kill();

    await trusting.send({ open: options });
    await vi.waitFor(
      async () =>
        expect(await trusting.send({ status: true })).toMatchObject({ ok: { waiting: 0, sent: 1 } }),
      PATIENCE,
    );
    expect(ingest.batches).toMatchObject([[{ cellar: 'demo', rack: 'r', value: 1 }]]);
  } finally {
    await Promise.all([strict.kill(), trusting.kill()]);
    ingest.close();
    await rm(folder, { recursive: true });
  }
});
