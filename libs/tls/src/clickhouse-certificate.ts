import { Agent } from 'node:https';
import type { AgentOptions } from 'node:https';
import type { CertificateFiles } from './certificate.ts';
import { clientCertificate } from './client-certificate.ts';
import type { ClientCertificate } from './client-certificate.ts';

export interface ClickHouseCertificate {
  http_agent?: Agent;
  http_headers?: Record<string, string>;
  set_basic_auth_header?: boolean;
}

/**
 * What `@clickhouse/client` needs to show our certificate. Its own option reads it once, and takes it for the user's password in
 * any case, which ClickHouse rejects beside a real one. Here it stands for the password of a user that has none.
 *
 * @throws {UnusableCertificate}
 */
export function clickHouseCertificate(
  files: CertificateFiles | undefined,
  options: { user?: string | undefined; password?: string | undefined; maxConnections?: number },
): ClickHouseCertificate {
  if (files === undefined) return {};
  const { user, password, maxConnections } = options;
  const http_agent = certifiedAgent(clientCertificate(files), {
    keepAlive: true,
    // A session that is resumed has the certificate that it began with, also when that has ended.
    maxCachedSessions: 0,
    // The client's own, when it makes the agent.
    maxSockets: maxConnections ?? 10,
  });
  if (user === undefined || password !== undefined) return { http_agent };
  return {
    http_agent,
    set_basic_auth_header: false,
    http_headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-SSL-Certificate-Auth': 'on' },
  };
}

function certifiedAgent(certificate: ClientCertificate, options: AgentOptions): Agent {
  const agent = new Agent(options);
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (target, callback) => connect({ ...target, ...certificate() }, callback);
  return agent;
}
