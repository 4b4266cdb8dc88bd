import { once } from 'node:events';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createTestAuthority } from '../../tls/tests/test-authority.ts';
import { onBrokenRequest } from '../src/index.ts';

test('a client that never ends its TLS handshake is cut off, though nothing can be said to it', async () => {
  const authority = await createTestAuthority();
  const server = createServer({ ...(await authority.issue()), handshakeTimeout: 20 });
  const answered: (string | undefined)[] = [];
  server.on(
    'clientError',
    onBrokenRequest((socket, code) => {
      answered.push(code);
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n', () => socket.destroy());
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.resume();
  try {
    await once(client, 'close');
    expect([client.bytesRead, answered]).toEqual([0, []]);
  } finally {
    client.destroy();
    server.close();
  }
});
