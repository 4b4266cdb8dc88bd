import type { Server, ServerOptions } from 'node:http';
import { Server as TlsServer } from 'node:tls';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import { readCertificate } from './certificate.ts';
import type { Certificate } from './certificate.ts';
import { followFile } from './follow-file.ts';
import type { TlsLogger } from './follow-file.ts';
import { certificateFiles } from './variables.ts';

export interface ServerTls {
  readonly options: SecureContextOptions & { readonly handshakeTimeout: number };
  /** From now on new connections get what the files hold; open ones go on with what they began with. */
  follow(server: Server): void;
}

/** Without it Node waits two minutes for a client that never ends its handshake. */
const HANDSHAKE_MS = 5_000;
/** One line in this time about those who speak plain HTTP. */
const WARN_INTERVAL_MS = 60_000;

/**
 * What a process serves with, if its environment names a certificate.
 *
 * @throws {UnusableCertificate} when the files cannot be used
 */
export function serverTls(
  config: { readonly TLS_CERT_FILE?: string; readonly TLS_KEY_FILE?: string },
  logger: TlsLogger,
  { everyMs }: { everyMs?: number } = {},
): ServerTls | undefined {
  const files = certificateFiles(config, 'TLS');
  if (files === undefined) return undefined;
  const certificate = readCertificate(files);
  return {
    options: { ...settings(certificate), handshakeTimeout: HANDSHAKE_MS },
    follow(server) {
      if (!(server instanceof TlsServer)) throw new Error('this server was made without the options');
      const followed = followFile({
        what: `the certificate in ${files.certFile}`,
        read: () => readCertificate(files),
        inUse: certificate,
        take: (renewed) => server.setSecureContext(settings(renewed)),
        logger,
        everyMs,
      });
      server.once('close', () => followed.stop());
      server.on('tlsClientError', warnOfPlainHttp(logger));
    },
  };
}

/**
 * The part of Fastify's options that says how Node serves. With TLS it is in truth `https`, which Fastify types as another
 * application; all else is the same.
 */
export function servedOver(tls: ServerTls | undefined, http: ServerOptions = {}): { http: ServerOptions } {
  if (tls === undefined) return { http };
  return { https: { ...http, ...tls.options } } as unknown as { http: ServerOptions };
}

function settings({ cert, key }: Certificate) {
  return { cert, key, minVersion: 'TLSv1.2' } as const;
}

/** The client only sees that its connection ends, so the words are here. */
function warnOfPlainHttp(logger: TlsLogger) {
  let toldAt = -Infinity;
  return ({ code }: NodeJS.ErrnoException, { remoteAddress }: TLSSocket): void => {
    const now = performance.now();
    if (code !== 'ERR_SSL_HTTP_REQUEST' || now - toldAt < WARN_INTERVAL_MS) return;
    toldAt = now;
    logger.warn({ remoteAddress }, 'a client sends plain HTTP to a TLS port: its URL needs https://');
  };
}
