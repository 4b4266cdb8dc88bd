import { X509Certificate } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { orUnusable, readPem, UnusableCertificate } from './certificate.ts';
import { followFile } from './follow-file.ts';
import type { Followed, TlsLogger } from './follow-file.ts';

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * Takes renewed authorities up for every connection that is made from then on, whichever client makes it. Node itself reads
 * NODE_EXTRA_CA_CERTS once, and only warns when it cannot.
 *
 * @param options.file what NODE_EXTRA_CA_CERTS says
 * @throws {UnusableCertificate} when Node could not use the file either
 */
export function followAuthorities(options: { file: string; logger: TlsLogger; everyMs?: number }): Followed {
  const { file, logger, everyMs } = options;
  /** Those of Node. Made when they are needed: it takes a tenth of a second. */
  let others: string[] | undefined;
  let last = parseAuthorities(file, readPem(file));

  // To parse the 150 authorities of a system holds all requests up for 10 to 30 ms, so only another text is parsed.
  function read(): string[] {
    const text = readPem(file);
    if (text !== last.text) last = parseAuthorities(file, text);
    return last.authorities;
  }

  return followFile({
    what: 'the list of authorities in NODE_EXTRA_CA_CERTS',
    read,
    inUse: last.authorities,
    take: (authorities) => {
      others ??= withoutExtra();
      setDefaultCACertificates([...others, ...authorities]);
    },
    logger,
    everyMs,
  });
}

function withoutExtra(): string[] {
  const extra = new Set(getCACertificates('extra'));
  return getCACertificates('default').filter((certificate) => !extra.has(certificate));
}

function parseAuthorities(file: string, text: string): { text: string; authorities: string[] } {
  const authorities = [...(text.match(PEM) ?? [])];
  if (authorities.length === 0) throw new UnusableCertificate(`${file} holds no certificate as PEM`);
  for (const pem of authorities) {
    orUnusable(() => new X509Certificate(pem), `${file} holds a certificate that cannot be read`);
  }
  return { text, authorities };
}
