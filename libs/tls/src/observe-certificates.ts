import { X509Certificate } from 'node:crypto';
import type { Meter } from '@opentelemetry/api';
import { readPem } from './certificate.ts';
import { certificateFiles } from './variables.ts';

/** What shows a certificate, and the variables that name it. */
const SHOWN_BY = {
  server: 'TLS',
  kafka: 'KAFKA_TLS',
  redis: 'REDIS_TLS',
  clickhouse: 'CLICKHOUSE_TLS',
} as const;

/** Until when the certificates of this process count, for an alert when nobody renews them. */
export function observeCertificates(meter: Meter, config: object): void {
  const shown = Object.entries(SHOWN_BY).flatMap(([certificate, prefix]) => {
    const files = certificateFiles(config, prefix);
    return files === undefined ? [] : [{ certificate, file: files.certFile }];
  });
  if (shown.length === 0) return;
  meter
    .createObservableGauge('cellarman_certificate_expiry_timestamp_seconds', {
      description: 'When the certificate that a file holds now ends, in seconds since 1970.',
      unit: 's',
    })
    .addCallback((result) => {
      for (const { certificate, file } of shown) {
        const endsAt = endOf(file);
        if (endsAt !== undefined) result.observe(endsAt.getTime() / 1_000, { certificate });
      }
    });
}

/** Returns undefined for an unreadable file, which has been logged: its series ends, and an alert fires on that. */
function endOf(file: string): Date | undefined {
  try {
    return new X509Certificate(readPem(file)).validToDate;
  } catch {
    return undefined;
  }
}
