import { KeyObject, randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
// Required by @peculiar/x509.
import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { Certificate } from '../src/index.ts';

/** An authority that lives as long as its test. */
export interface TestAuthority {
  /** Its own certificate, as PEM. */
  readonly certificate: string;
  /** @param options.names host names and IP addresses of a server */
  issue(options?: IssueOptions): Promise<Certificate>;
}

export interface IssueOptions {
  /** @default localhost and 127.0.0.1 */
  names?: readonly string[];
  /** The common name of a client. */
  subject?: string;
  /** @default in ten minutes */
  endsAt?: Date;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const TEN_MINUTES_MS = 600_000;

export async function createTestAuthority(name = 'the tests'): Promise<TestAuthority> {
  const keys = await makeKeys();
  const own = await X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: `CN=${name}`,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
    ],
  });
  return {
    certificate: `${own.toString('pem')}\n`,
    async issue({ names = ['localhost', '127.0.0.1'], subject = 'a test', endsAt } = {}) {
      const { publicKey, privateKey } = await makeKeys();
      const certificate = await X509CertificateGenerator.create({
        ...validity(endsAt),
        subject: `CN=${subject}`,
        issuer: own.subject,
        publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new SubjectAlternativeNameExtension(
            names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
          ),
        ],
      });
      return { cert: `${certificate.toString('pem')}\n`, key: pemOf(privateKey) };
    },
  };
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function pemOf(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The clocks of this machine and of a container may differ by a little. */
function validity(notAfter = new Date(Date.now() + TEN_MINUTES_MS)) {
  return {
    serialNumber: randomBytes(8).toString('hex'),
    notBefore: new Date(Math.min(Date.now(), notAfter.getTime()) - TEN_MINUTES_MS),
    notAfter,
  };
}
