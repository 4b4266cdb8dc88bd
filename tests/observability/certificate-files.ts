import { execFile } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a service needs to know to serve HTTPS. */
export type CertificateVariables = Record<'TLS_CERT_FILE' | 'TLS_KEY_FILE', string>;

/** Writes a certificate for this machine that ends in this number of days, in place of the previous one. */
export async function writeCertificate(directory: string, days: number): Promise<CertificateVariables> {
  const [key, cert] = [join(directory, 'tls.key'), join(directory, 'tls.crt')];
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', String(days)],
    ...['-keyout', `${key}.new`, '-out', `${cert}.new`],
  ]);
  for (const file of [key, cert]) await rename(`${file}.new`, file);
  return { TLS_CERT_FILE: cert, TLS_KEY_FILE: key };
}
