import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HOST, until } from '@cellarman/local-stack';

/** Of the Debian package. */
export const hasHaproxy = existsSync('/usr/sbin/haproxy');

/** The header in which responses name the replica. */
export const REPLICA_HEADER = 'x-replica';

/** docs/deployment.md has the same. */
export const ROUTE_BY_KEY = `
  http-request set-var(txn.key) req.hdr(x-api-key)
  http-request set-var(txn.key) req.hdr(authorization) unless { req.hdr(x-api-key) -m found }
  balance hash var(txn.key)
  hash-type consistent sdbm avalanche`;

/** HAProxy in front of the ingest replicas, as it stands in front of them in production. */
export interface Balancer {
  url: string;
  close(): Promise<void>;
}

export interface BalancerOptions {
  port: number;
  ingestPorts: readonly number[];
  /** For its configuration. */
  dataDir: string;
  /** Whether requests with the same API key reach the same replica. @default false */
  isByKey?: boolean;
}

/** @throws when HAProxy is not installed */
export async function startBalancer(options: BalancerOptions): Promise<Balancer> {
  const { port, dataDir } = options;
  const file = join(dataDir, 'haproxy.cfg');
  await writeFile(file, configuration(options));
  const child = spawn('haproxy', ['-q', '-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  // Only until it is ready: after that its end shows as requests that fail.
  const state: { failure?: Error } = {};
  child.once('error', (error: NodeJS.ErrnoException) => {
    state.failure = error.code === 'ENOENT' ? new Error('Needs HAProxy: apt-get install haproxy') : error;
  });
  child.once('exit', (code) => (state.failure = new Error(`HAProxy ended with ${code}`)));

  async function close(): Promise<void> {
    if (state.failure !== undefined) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }

  const url = `http://${HOST}:${port}`;
  try {
    await until('HAProxy has found the replicas', async () => {
      if (state.failure !== undefined) throw state.failure;
      return (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true;
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
}

/**
 * A replica that reports on /readyz that it stops gets no new requests a quarter of a second later; one that is merely slow to
 * respond keeps getting them. The proxy repeats a request only when the connection failed (`conn-failure`): a request that was
 * sent may have been stored, and the client decides whether to send it again.
 */
function configuration({ port, ingestPorts, isByKey = false }: BalancerOptions): string {
  return `
defaults
  mode http
  timeout connect 2s
  timeout client 75s
  timeout server 75s
  timeout check 2s
  option redispatch 1
  retries 3
  retry-on conn-failure

listen ingest
  bind ${HOST}:${port}
  http-response set-header ${REPLICA_HEADER} %s
${isByKey ? ROUTE_BY_KEY : '  balance leastconn'}
  option httpchk GET /readyz
  default-server check inter 250ms fall 1 rise 1
${ingestPorts.map((ingestPort, i) => `  server ingest-${i + 1} ${HOST}:${ingestPort}`).join('\n')}
`;
}
