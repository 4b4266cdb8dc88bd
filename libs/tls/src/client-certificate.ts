import { readCertificate } from './certificate.ts';
import type { Certificate, CertificateFiles } from './certificate.ts';

/** Our certificate for a connection that is made now. */
export type ClientCertificate = () => Certificate;

/**
 * Reads the files for each new connection: connections are rare, and each one picks up a renewed certificate. While the files
 * are being replaced, certificate and key may not match: the connection is then made with the previous pair.
 *
 * @throws {UnusableCertificate} at the first read, when the files cannot be used; later reads do not throw
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
