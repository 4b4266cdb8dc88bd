import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect as connectTcp } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { HOST, unusedPorts } from '@cellarman/local-stack';
import type { EngineUrls } from '@cellarman/local-stack';
import { Client } from 'pg';
import { startKafkaCluster } from '../../libs/kafka/tests/kafka-cluster.ts';
import { cacheDir } from '../../libs/local-stack/src/config.ts';
import { mavenArtifacts } from '../../libs/local-stack/src/engines/maven-artifacts.ts';
import { findPostgres, postgresEngine } from '../../libs/local-stack/src/engines/postgres.ts';
import { findRedisServer } from '../../libs/local-stack/src/engines/redis.ts';
import { spawnProcess } from '../../libs/local-stack/src/supervise/spawn-process.ts';
import type { RunningProcess } from '../../libs/local-stack/src/supervise/startable.ts';
import { mountSecret } from '../../libs/tls/tests/mounted-secret.ts';
import type { MountedSecret } from '../../libs/tls/tests/mounted-secret.ts';
import type { TestAuthority } from '../../libs/tls/tests/test-authority.ts';

/** Engines that take TLS alone, and only from who shows a certificate of the authority. Their certificates are for localhost. */
export interface EncryptedEngines {
  authority: TestAuthority;
  /** What everybody here shows to everybody else. */
  secret: MountedSecret;
  /** `host:port` of each, without TLS in it. */
  addresses: { kafka: string; redis: string; postgres: string; clickhouse: string };
  /** Without the URL, which follows from the host:port above. */
  clickhouse: Record<'CLICKHOUSE_USER' | 'CLICKHOUSE_PASSWORD' | 'CLICKHOUSE_DATABASE', string>;
  stop(): Promise<void>;
}

export async function startEncryptedEngines(plain: EngineUrls): Promise<EncryptedEngines> {
  const { clickhouseUrl } = plain;
  const directory = await mkdtemp(join(tmpdir(), 'cellarman-tls-'));
  const [redisPort = 0, postgresPort = 0] = await unusedPorts(2);
  const kafka = await startKafkaCluster(1, { isSecured: true });
  const stops = [() => rm(directory, { recursive: true, force: true }), () => kafka.stop()];
  const stop = async (): Promise<void> => {
    for (const each of stops.reverse()) await each();
  };
  try {
    const { authority, mutual } = kafka.secured;
    const secret = await mountSecret();
    stops.push(() => secret.remove());
    const certificate = await authority.issue({ names: ['localhost'] });
    await secret.write({ certificate, authorities: authority.certificate });

    const started = await Promise.all([
      startRedis(secret, { directory, port: redisPort }),
      startPostgres(secret, { directory: join(directory, 'postgres'), port: postgresPort }),
    ]);
    stops.push(...started.map((process) => () => process.stop()));
    const proxy = createServer({ ...certificate, requestCert: true, ca: authority.certificate }, (inside) => {
      // The engine of the local stack has no TLS.
      const outside = connectTcp(Number(new URL(clickhouseUrl).port), new URL(clickhouseUrl).hostname);
      inside.pipe(outside).pipe(inside);
      for (const end of [inside, outside]) end.on('error', () => (inside.destroy(), outside.destroy()));
    });
    proxy.on('tlsClientError', () => undefined);
    proxy.listen(0, HOST);
    await once(proxy, 'listening');
    stops.push(async () => void proxy.close());
    return {
      authority,
      secret,
      addresses: {
        kafka: mutual.join(','),
        redis: `localhost:${redisPort}`,
        postgres: `localhost:${postgresPort}`,
        clickhouse: `localhost:${(proxy.address() as AddressInfo).port}`,
      },
      clickhouse: {
        CLICKHOUSE_USER: plain.clickhouseUser,
        CLICKHOUSE_PASSWORD: plain.clickhousePassword,
        CLICKHOUSE_DATABASE: `tls_${randomBytes(5).toString('hex')}`,
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Place {
  directory: string;
  port: number;
}

async function startRedis(secret: MountedSecret, { directory, port }: Place): Promise<RunningProcess> {
  const { redisDir } = await mavenArtifacts(cacheDir(), (_, work) => work());
  const { certFile, keyFile, authoritiesFile } = secret;
  const files = [
    '--tls-cert-file',
    certFile,
    '--tls-key-file',
    keyFile,
    '--tls-ca-cert-file',
    authoritiesFile,
  ];
  const redis = await spawnProcess({
    name: 'redis',
    command: await findRedisServer(process.env, redisDir),
    args: ['--bind', HOST, '--port', '0', '--tls-port', String(port), '--save', '', ...files],
    cwd: directory,
    env: process.env,
    logFile: join(directory, 'redis.log'),
    answers: async () => {
      const socket = connect({ port, host: HOST, servername: 'localhost', ...(await contentOf(secret)) });
      await once(socket, 'secureConnect');
      socket.destroy();
      return true;
    },
  });
  await redis.ready();
  return redis;
}

async function startPostgres(secret: MountedSecret, { directory, port }: Place): Promise<RunningProcess> {
  await mkdir(directory);
  const engine = postgresEngine({
    ...{ programs: await findPostgres(), dataDir: directory, port, env: process.env },
    password: randomBytes(9).toString('hex'),
    logFile: join(directory, 'postgres.log'),
  });
  const postgres = await engine.start();
  try {
    await postgres.ready();
    await encryptPostgres(secret, { url: engine.url, cluster: join(directory, 'cluster') });
    return postgres;
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** It has no secrets of other owners, so it gets copies. */
async function encryptPostgres(
  { certFile, keyFile, authoritiesFile }: MountedSecret,
  { url, cluster }: { url: string; cluster: string },
): Promise<void> {
  const { uid, gid } = await stat(cluster);
  const files = { 'server.crt': certFile, 'server.key': keyFile, 'root.crt': authoritiesFile };
  for (const [name, from] of Object.entries(files)) {
    await copyFile(from, join(cluster, name));
    await chown(join(cluster, name), uid, gid);
  }
  await writeFile(join(cluster, 'pg_hba.conf'), 'hostssl all all all trust clientcert=verify-ca\n');
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("ALTER SYSTEM SET ssl_ca_file = 'root.crt'");
  await client.query('ALTER SYSTEM SET ssl = on');
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

async function contentOf({ certFile, keyFile, authoritiesFile }: MountedSecret) {
  const [cert, key, ca] = await Promise.all(
    [certFile, keyFile, authoritiesFile].map((file) => readFile(file)),
  );
  return { cert, key, ca };
}
