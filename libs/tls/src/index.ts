export { followAuthorities } from './authorities.ts';
export { readCertificate, UnusableCertificate } from './certificate.ts';
export type { Certificate, CertificateFiles } from './certificate.ts';
export { clickHouseCertificate } from './clickhouse-certificate.ts';
export { clientCertificate } from './client-certificate.ts';
export type { ClientCertificate } from './client-certificate.ts';
export type { Followed, TlsLogger } from './follow-file.ts';
export { observeCertificates } from './observe-certificates.ts';
export { checkEviction, evictionWarning } from './redis-eviction.ts';
export { createRedisOutage } from './redis-outage.ts';
export type { RedisOutage } from './redis-outage.ts';
export { redisTls } from './redis-tls.ts';
export { servedOver, serverTls } from './serve-tls.ts';
export type { ServerTls } from './serve-tls.ts';
export { createFirstHint, tlsHint } from './tls-hint.ts';
export {
  authoritiesVariable,
  certificateConflicts,
  certificateFiles,
  clickHouseCertificateConflicts,
  clientCertificateVariables,
  redisCertificateConflicts,
  tlsVariables,
} from './variables.ts';
