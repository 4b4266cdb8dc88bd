import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { inheritedEnvironment } from '../config.ts';
import { clickhouseVariables } from '../engines/clickhouse-login.ts';
import type { EngineUrls } from '../engines/engine.ts';
import { DASHBOARD_BUILD } from './build-dashboard.ts';
import type { LocalSecrets } from './local-secrets.ts';
import { CHECKOUT, mainFile, nodeService } from './node-service.ts';
import type { ServiceName } from './node-service.ts';
import { HOST } from '../ports.ts';
import type { ProductPorts } from '../ports.ts';
import { lastLines } from '../last-lines.ts';
import { runCommand } from '../run-command.ts';
import { StartError } from '../start-error.ts';
import type { Startable } from '../supervise/startable.ts';

/** Variables on top of those of the local stack, for one service or several. */
export type ServiceEnvironments = Partial<Record<ServiceName, Readonly<Record<string, string>>>>;

export interface ServicesOptions {
  ports: ProductPorts;
  urls: EngineUrls;
  secrets: LocalSecrets;
  logsDir: string;
  env?: ServiceEnvironments | undefined;
}

export interface Services {
  keyService: Startable;
  sink: Startable;
  query: Startable;
  ingest: Startable[];
  /** Makes the topics and tables. */
  migrate(): Promise<void>;
}

export const ADMIN_EMAIL = 'admin@cellarman.local';
export const CLICKHOUSE_DATABASE = 'cellarman';

/** It cannot hold three replicas. */
const ONE_BROKER = {
  ALLOW_WEAK_TOPIC: 'true',
  TOPIC_REPLICATION_FACTOR: '1',
  TOPIC_MIN_INSYNC_REPLICAS: '1',
};

/** Cellarman's own processes, set up by environment variables alone, as in production. */
export function productServices({ ports, urls, secrets, logsDir, env = {} }: ServicesOptions): Services {
  const common = {
    ...inheritedEnvironment(),
    // A service starts a third faster when its modules are compiled already (0.75 s of CPU instead of 1.05 s).
    NODE_COMPILE_CACHE: join(CHECKOUT, 'node_modules', '.cache', 'node'),
    KEY_SERVICE_URL: `http://${HOST}:${ports.keyServiceInternal}`,
    KAFKA_BROKERS: urls.kafkaBrokers.join(','),
    REDIS_URL: urls.redisUrl,
    // No load balancer has to notice.
    DEREGISTRATION_DELAY_MS: '0',
    SHUTDOWN_DEADLINE_MS: '10000',
  };
  const tokenOf = (caller: string) =>
    createHmac('sha256', secrets.internalToken).update(caller).digest('base64url');
  const keyServiceEnv = {
    ...common,
    INTERNAL_PORT: String(ports.keyServiceInternal),
    INGEST_TOKEN: tokenOf('ingest'),
    QUERY_TOKEN: tokenOf('query'),
    SINK_TOKEN: tokenOf('sink'),
    DATABASE_URL: urls.databaseUrl,
    ADMIN_EMAIL,
    ADMIN_PASSWORD: secrets.adminPassword,
    DASHBOARD_DIR: DASHBOARD_BUILD,
    INGEST_PUBLIC_URL: `http://${HOST}:${ports.ingest[0]}`,
    INGEST_URL: `http://${HOST}:${ports.ingest[0]}`,
    QUERY_URL: `http://${HOST}:${ports.query}`,
    ALERTS_TOKEN: tokenOf('alerts'),
    // So that alerts can be tried with a receiver on this machine.
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1',
    // Lookups make much that is short-lived: 137 MiB after 20,000 of them instead of 252.
    NODE_OPTIONS: '--max-semi-space-size=2 --max-old-space-size=96',
    ...env['key-service'],
  };
  const clickhouse = { ...clickhouseVariables(urls), CLICKHOUSE_DATABASE };
  const sinkEnv = {
    ...common,
    INTERNAL_TOKEN: tokenOf('sink'),
    ...clickhouse,
    // Node's own choice lets the young generation grow to three times that: 430 MiB instead of 330 while a backlog drains.
    NODE_OPTIONS: '--max-semi-space-size=16',
    ...(urls.kafkaBrokers.length < 3 ? ONE_BROKER : {}),
    ...env.sink,
  };
  const queryEnv = {
    ...common,
    OPERATIONS_PORT: String(ports.queryOperations),
    INTERNAL_TOKEN: tokenOf('query'),
    ALERTS_TOKEN: tokenOf('alerts'),
    ...clickhouse,
    ...env.query,
  };
  const ingestEnv = {
    ...common,
    INTERNAL_TOKEN: tokenOf('ingest'),
    INGEST_REPLICAS: String(ports.ingest.length),
    // All services have the same version here.
    PRODUCER_COMPRESSION: 'zstd',
    // As for the sink: 180 MiB at 512 connections instead of 287, and no slower. At 8 MiB it is 160, and a fifth slower.
    NODE_OPTIONS: '--max-semi-space-size=16',
    ...env.ingest,
  };
  const logFile = (name: string): string => join(logsDir, `${name}.log`);

  return {
    keyService: nodeService({
      service: 'key-service',
      name: 'key-service',
      port: ports.keyService,
      env: keyServiceEnv,
      logFile: logFile('key-service'),
    }),
    sink: nodeService({
      service: 'sink',
      name: 'sink',
      port: ports.sink,
      env: sinkEnv,
      logFile: logFile('sink'),
    }),
    query: nodeService({
      service: 'query',
      name: 'query',
      port: ports.query,
      env: queryEnv,
      logFile: logFile('query'),
    }),
    ingest: ports.ingest.map((port, index) => {
      const name = ports.ingest.length === 1 ? 'ingest' : `ingest-${index + 1}`;
      return nodeService({ service: 'ingest', name, port, env: ingestEnv, logFile: logFile(name) });
    }),
    migrate: async () => {
      const { exitCode, output } = await runCommand(process.execPath, [mainFile('sink'), 'migrate'], {
        cwd: CHECKOUT,
        env: sinkEnv,
      });
      if (exitCode !== 0) throw new StartError(`The sink cannot migrate:\n${lastLines(output)}`);
    },
  };
}
