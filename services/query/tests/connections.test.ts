import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createReadiness } from '@cellarman/lifecycle';
import { createLogger } from '@cellarman/telemetry';
import { afterEach, expect, test } from 'vitest';
import { createApp } from '../src/app.ts';
import { withoutBounds } from './without-bounds.ts';

const unused = undefined as never;
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function listen(bounds: { maxConnections?: number; silenceMs?: number }) {
  const app = await createApp({
    ...withoutBounds,
    ...{ keyService: unused, selectAs: unused, clock: () => new Date(), metricsText: async () => '' },
    readiness: createReadiness(),
    logger: createLogger({ service: 'test', version: '0', level: 'silent' }),
    ...bounds,
  });
  cleanUps.push(() => app.close());
  const { hostname, port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  return async (): Promise<Socket> => {
    const socket = connect(Number(port), hostname);
    cleanUps.push(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
}

test('a connection beyond the limit is closed, and the others are served', async () => {
  const open = await listen({ maxConnections: 1 });
  const first = await open();
  first.write('GET /livez HTTP/1.1\r\nHost: test\r\n\r\n');
  expect(String(await once(first, 'data'))).toContain('200 OK');
  const second = await open();
  await once(second, 'close');
  first.write('GET /livez HTTP/1.1\r\nHost: test\r\n\r\n');
  expect(String(await once(first, 'data'))).toContain('200 OK');
});

test('a connection that sends and takes nothing is closed', async () => {
  const open = await listen({ silenceMs: 50 });
  await once(await open(), 'close');
});
