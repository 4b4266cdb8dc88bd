import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Where a certificate and its key stand, each as PEM. */
export interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

/** Both as they are handed to Node. */
export interface Certificate {
  cert: string;
  key: string;
}

/** States what is wrong with a certificate or key file, for the operator who replaces it. Contains nothing of a key. */
export class UnusableCertificate extends Error {
  readonly code = 'CERTIFICATE_UNUSABLE';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnusableCertificate';
  }
}

/**
 * Reads both files and holds them against each other: while they are being replaced they may not fit.
 *
 * @throws {UnusableCertificate}
 */
export function readCertificate({ certFile, keyFile }: CertificateFiles): Certificate {
  const cert = readPem(certFile);
  const key = readPem(keyFile);
  const certificate = orUnusable(() => new X509Certificate(cert), `${certFile} holds no certificate as PEM`);
  const privateKey = orUnusable(
    () => createPrivateKey(key),
    `${keyFile} holds no key as PEM without a password`,
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new UnusableCertificate(`The key in ${keyFile} is not that of the certificate in ${certFile}`);
  }
  return { cert, key };
}

/** @throws {UnusableCertificate} */
export function readPem(file: string): string {
  return orUnusable(() => readFileSync(file, 'utf8'), `${file} cannot be read`);
}

/** @throws {UnusableCertificate} */
export function orUnusable<Result>(work: () => Result, problem: string): Result {
  try {
    return work();
  } catch (cause) {
    throw new UnusableCertificate(`${problem}: ${(cause as Error).message}`, { cause });
  }
}
