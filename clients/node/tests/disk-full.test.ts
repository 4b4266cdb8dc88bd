import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { startDriver } from '@cellarman/client-conformance';
import { expect, test } from 'vitest';

const LINES = (body: string) => body.split('\n').filter((line) => line !== '');

// A limit of the size of files stands for a full disk: no mount, so no root. prlimit is part of Linux distributions.
test.skipIf(process.platform !== 'linux')(
  'a full disk fails puts, and loses nothing that was acknowledged',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cellarman-full-'));
    const received = new Set<number>();
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const values = LINES(body).map((line) => (JSON.parse(line) as { value: number }).value);
        for (const value of values) received.add(value);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ status: 'success', accepted: values.length }));
      });
    }).listen(0, '127.0.0.1');
    const limited = ['sh', '-c', 'ulimit -S -f 2000 && exec "$@"', 'sh'];
    const driver = startDriver([...limited, process.execPath, join(import.meta.dirname, 'driver.ts')]);
    try {
      await expect.poll(() => server.listening).toBe(true);
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const spool = join(folder, 'spool');
      const options = {
        compression: 'none',
        retryMinMs: 10,
        retryMaxMs: 40,
        lingerMs: 60_000,
        batchReadings: 100_000,
      };
      expect(await driver.send({ open: { url, apiKey: 'cm_', cellar: 'c', spool, ...options } })).toEqual({
        ok: true,
      });
      let acknowledged = 0;
      const put = async () => {
        const list = Array.from({ length: 50 }, (_, index) => ({
          rack: 'r',
          keg: 'k',
          value: acknowledged + index,
        }));
        const { error } = await driver.send({ put: list });
        if (error === undefined) acknowledged += list.length;
        return error;
      };
      let error: string | undefined;
      while (error === undefined) error = await put();
      expect(error).toBe('spool_failed');
      expect(acknowledged).toBeGreaterThan(1_000);
      // Also while it lasts, nothing else goes wrong.
      expect(await put()).toBe('spool_failed');
      await promisify(execFile)('prlimit', ['--fsize=unlimited', '--pid', String(driver.pid)]);
      expect(await put()).toBeUndefined();
      expect(await driver.send({ close: 20_000 })).toEqual({ ok: { waiting: 0 } });
      for (let value = 0; value < acknowledged; value++) expect(received.has(value)).toBe(true);
    } finally {
      await driver.kill();
      server.close();
      await rm(folder, { recursive: true });
    }
  },
);
