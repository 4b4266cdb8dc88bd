import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { startDriver } from '../../conformance/tests/index.ts';
import { readingOf } from '../../conformance/tests/scenario.ts';
import { driver } from './python.ts';

const node = [process.execPath, join(import.meta.dirname, '..', '..', 'node', 'tests', 'driver.ts')];
const DOWN = {
  url: 'http://127.0.0.1:9',
  apiKey: 'cm_key',
  retryMinMs: 10,
  retryMaxMs: 20,
  lingerMs: 0,
  compression: 'none',
};

const PATIENCE = { timeout: 20_000 };

/** Each client puts readings and is killed; the next one goes on with its spool, and the last one sends them. */
test.skipIf(driver === undefined).each([
  ['Node', 'Python', [node, driver ?? [], node, driver ?? []]],
  ['Python', 'Node', [driver ?? [], node, driver ?? [], node]],
])(
  'a spool of %s is continued by %s, and the reverse',
  { timeout: 120_000 },
  async (_first, _second, drivers) => {
    const folder = await mkdtemp(join(tmpdir(), 'cellarman-interchange-'));
    const sent: unknown[] = [];
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const readings = body
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as { value: number });
        sent.push(...readings);
        const errors = readings.flatMap(({ value }, index) =>
          value === 0 ? [{ index, code: 'rack_mismatch', error: 'rack', retryable: false }] : [],
        );
        response.end(JSON.stringify({ accepted: readings.length - errors.length, errors }));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const up = { ...DOWN, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    try {
      let client = startDriver(drivers[0] ?? []);
      const open = async (options: object) =>
        expect(await client.send({ open: { ...options, spool: join(folder, 'spool') } })).toEqual({
          ok: true,
        });
      const next = async (index: number, options: object) => {
        await client.kill();
        client = startDriver(drivers[index] ?? []);
        await open(options);
      };
      const put = (names: string[], more = {}) => client.send({ put: names.map(readingOf), ...more });

      // One reading that is set aside, and the counters of a spool that was in use.
      await open(up);
      await put(['z0']);
      await vi.waitFor(
        async () => expect(await client.send({ status: true })).toMatchObject({ ok: { rejected: 1 } }),
        PATIENCE,
      );
      await next(0, DOWN);
      await put(['a1', 'b2']);
      await put(['y1'], { backfill: true });
      await next(1, DOWN);
      expect(await client.send({ status: true })).toMatchObject({
        ok: { waiting: 3, rejected: 1, setAside: 1 },
      });
      await put(['a3']);
      await put(['y2'], { backfill: true });
      await next(2, DOWN);
      await put(['a4']);
      await next(3, up);
      await vi.waitFor(
        async () =>
          expect(await client.send({ status: true })).toMatchObject({
            ok: { waiting: 0, bytes: 0, sent: 6 },
          }),
        PATIENCE,
      );
      expect(sent).toEqual(['z0', 'a1', 'b2', 'a3', 'a4', 'y1', 'y2'].map(readingOf));
      expect(await client.send({ setAside: true })).toMatchObject({ ok: [{ reading: readingOf('z0') }] });
      await client.kill();
    } finally {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true });
    }
  },
);
