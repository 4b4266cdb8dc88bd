import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createOperationsApp } from '../src/operations-app.ts';
import { createReadiness } from '../src/readiness.ts';

const app = createOperationsApp({ readiness: createReadiness(), metricsText: async () => 'up 1\n' });
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

test('closes what comes beyond its connections, and connections that are silent', async () => {
  const { hostname, port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const open = async () => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  for (let opened = 0; opened < 100; opened += 1) await open();
  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));
  await expect.poll(connections).toBe(100);

  const beyond = await open();
  await once(beyond, 'close');
  expect(await connections()).toBe(100);
  // Node closes them by it.
  expect(app.server.timeout).toBe(30_000);
});

test.each([
  ['TRACE', '/livez', 405],
  ['QUERY', '/livez', 405],
  ['POST', '/metrics', 405],
  ['GET', '/internal', 404],
  ['GET', '/livez?x=1', 200],
] as const)('%s %s is %i, and no browser guesses its type', async (method, url, status) => {
  const operations = createOperationsApp({ readiness: createReadiness(), metricsText: async () => 'up 1\n' });
  // `inject` names only methods that Fastify has routes for.
  const { statusCode, headers } = await operations.inject({ method: method as 'GET', url });
  expect([statusCode, headers['x-content-type-options']]).toEqual([status, 'nosniff']);
  expect(headers['allow']).toBe(status === 405 ? 'GET, HEAD' : undefined);
  await operations.close();
});
