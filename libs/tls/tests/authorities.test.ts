import { once } from 'node:events';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followAuthorities } from '../src/index.ts';
import type { Followed } from '../src/index.ts';
import { createLines } from './lines.ts';
import { mountSecret } from './mounted-secret.ts';
import type { MountedSecret } from './mounted-secret.ts';
import { createTestAuthority } from './test-authority.ts';
import type { TestAuthority } from './test-authority.ts';

let old: TestAuthority;
let fresh: TestAuthority;
let secret: MountedSecret;
let server: Server;
let followed: Followed | undefined;
const logger = createLines();

beforeAll(async () => {
  [old, fresh] = await Promise.all([createTestAuthority('the old one'), createTestAuthority('the new one')]);
  secret = await mountSecret();
  await secret.write({ authorities: old.certificate });
  server = createServer(await fresh.issue(), (_request, response) => response.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  followed = followAuthorities({ file: secret.authoritiesFile, logger, everyMs: 10 });
});

afterAll(async () => {
  followed?.stop();
  server.close();
  server.closeAllConnections();
  await secret.remove();
});

const ask = () =>
  fetch(`https://localhost:${(server.address() as AddressInfo).port}`, {
    headers: { connection: 'close' },
  }).then(
    (answer) => answer.text(),
    (error: unknown) => ((error as Error).cause as NodeJS.ErrnoException).code,
  );

test('an authority counts when it is added, and no more when it is taken out', async () => {
  expect(await ask()).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  await secret.write({ authorities: old.certificate + fresh.certificate });
  await expect.poll(ask).toBe('hello');
  await secret.write({ authorities: old.certificate });
  await expect.poll(ask).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  expect(new Set(logger.lines)).toEqual(
    new Set(['info: reloaded the list of authorities in NODE_EXTRA_CA_CERTS']),
  );
});

test('a file without certificates is rejected at the start', async () => {
  const empty = await mountSecret();
  await empty.write({ authorities: 'nothing' });
  const follow = (file: string) => () => followAuthorities({ file, logger });
  expect(follow(empty.authoritiesFile)).toThrow(/ca\.crt holds no certificate as PEM/);
  expect(follow(empty.certFile)).toThrow(/tls\.crt cannot be read: ENOENT/);
  await empty.remove();
});
