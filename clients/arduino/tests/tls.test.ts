import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeCertificate } from '../../../tests/observability/certificate-files.ts';
import { Device, driverPath } from './device.ts';
import { startScriptedIngest } from './scripted-ingest.ts';

test.skipIf(driverPath === undefined)('sends only to a server that the CA has signed', async () => {
  const root = await mkdtemp(join(tmpdir(), 'cellarman-arduino-tls-'));
  const server = await writeCertificate(root, 1);
  const tls = {
    cert: await readFile(server.TLS_CERT_FILE, 'utf8'),
    key: await readFile(server.TLS_KEY_FILE, 'utf8'),
  };
  const ingest = await startScriptedIngest(tls);
  const device = new Device(root);
  try {
    await device.setClock();
    // Another CA.
    const other = await mkdtemp(join(tmpdir(), 'cellarman-other-ca-'));
    const { TLS_CERT_FILE: otherCa } = await writeCertificate(other, 1);
    await device.open({ url: ingest.url, ca: otherCa });
    await device.ask('put', 'temperature', 1);
    await device.ask('loop');
    expect(ingest.batches).toEqual([]);
    expect(await device.status()).toMatchObject({ waiting: 1, lastHttpStatus: -1 });
    await rm(other, { recursive: true });

    await device.open({ url: ingest.url, ca: server.TLS_CERT_FILE });
    await device.ask('loop');
    expect(await device.status()).toMatchObject({ state: 'idle', sent: 1 });
  } finally {
    await device.kill();
    ingest.close();
    await rm(root, { recursive: true });
  }
});
