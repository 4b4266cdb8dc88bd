import { readCertificate } from './certificate.ts';
import type { Certificate, CertificateFiles } from './certificate.ts';

/** Our certificate for a connection that is made now. */
export type ClientCertificate = () => Certificate;

/**
 * Reads the files anew for each connection: few are made, and each has what was renewed meanwhile. Files that are just being
 * replaced may not fit each other: then the connection is made with what was there before.
 *
 * @throws {UnusableCertificate} here at once when the files cannot be used, later never
 */
export function clientCertificate(files: CertificateFiles): ClientCertificate {
  let certificate = readCertificate(files);
  return () => {
    try {
      certificate = readCertificate(files);
    } catch {
      // The next connection looks again, and the other side says when a certificate has ended.
    }
    return certificate;
  };
}
