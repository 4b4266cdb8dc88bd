import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCertificate } from '../src/index.ts';
import type { Certificate } from '../src/index.ts';
import { mountSecret } from './mounted-secret.ts';
import type { MountedSecret } from './mounted-secret.ts';
import { createTestAuthority } from './test-authority.ts';

let secret: MountedSecret;
let good: Certificate;
let other: Certificate;

beforeAll(async () => {
  secret = await mountSecret();
  const authority = await createTestAuthority();
  [good, other] = await Promise.all([authority.issue(), authority.issue()]);
});
afterAll(() => secret.remove());

test('a certificate and its key are read', async () => {
  await secret.write({ certificate: good });
  expect(readCertificate(secret)).toEqual(good);
});

const { privateKey: locked } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
});

test.each<[string, () => Partial<Certificate>, RegExp]>([
  ['is not there', () => ({ key: good.key }), /tls\.crt cannot be read: ENOENT/],
  ['is no certificate', () => ({ cert: 'x', key: good.key }), /tls\.crt holds no certificate as PEM/],
  ['is no key', () => ({ cert: good.cert, key: good.cert }), /tls\.key holds no key as PEM/],
  [
    'has a password',
    () => ({ cert: good.cert, key: locked }),
    /tls\.key holds no key as PEM without a password/,
  ],
  ['belongs to another', () => ({ cert: good.cert, key: other.key }), /The key in .*tls\.key is not that of/],
])('what %s is rejected, and the message names the file', async (_, files, message) => {
  const given = files();
  await secret.write({ certificate: given as Certificate });
  expect(() => readCertificate(secret)).toThrow(message);
  expect(() => readCertificate(secret)).not.toThrow(given.key?.split('\n')[1] ?? 'no key');
});
