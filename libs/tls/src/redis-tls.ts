import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { CertificateFiles } from './certificate.ts';
import { clientCertificate } from './client-certificate.ts';

/**
 * Returns the TLS options of ioredis for a `rediss://` URL, and nothing for `redis://`. ioredis reads these fields for each
 * connection, and does not send the server name (SNI) by default.
 *
 * @throws {UnusableCertificate}
 */
export function redisTls(url: string, files?: CertificateFiles): { tls?: ConnectionOptions } {
  if (!url.startsWith('rediss://')) return {};
  const name = serverName(url);
  if (files === undefined) return { tls: name };
  const certificate = clientCertificate(files);
  return {
    tls: {
      ...name,
      get cert() {
        return certificate().cert;
      },
      get key() {
        return certificate().key;
      },
    },
  };
}

/** SNI takes no IP addresses. ioredis also accepts URLs that Node cannot parse, such as those with a `#` in the password. */
function serverName(url: string): { servername?: string } {
  if (!URL.canParse(url)) return {};
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? { servername: host } : {};
}
