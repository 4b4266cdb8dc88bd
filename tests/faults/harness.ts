import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, HOST, startProduct, startTcpProxy, unusedPorts } from '@cellarman/local-stack';
import type { Product, ProductPorts, StartProductOptions, TcpProxy } from '@cellarman/local-stack';
import { localSecrets } from '../../libs/local-stack/src/product/local-secrets.ts';
import type { LocalSecrets } from '../../libs/local-stack/src/product/local-secrets.ts';
import { startBalancer } from './balancer.ts';

/** Ways that a proxy can stand in. The one to Kafka exists while there is one broker. */
export const PROXIED = ['kafka', 'redis', 'postgres', 'clickhouse', 'key-service'] as const;
export type Proxied = (typeof PROXIED)[number];

export interface HarnessOptions {
  /** @default 1 */
  brokers?: 1 | 3;
  ingestReplicas?: number;
  /** Whether clients come through a load balancer rather than choose a replica. @default false */
  isBalanced?: boolean | 'by key';
  brokersThrough?: StartProductOptions['brokersThrough'];
  /** Ways that have a proxy in them. @default none */
  proxied?: readonly Proxied[];
  /** Environment variables of single services, perhaps for what `prepare` put into the data directory. */
  env?: Environments | ((dataDir: string) => Environments);
  /** Called before anything starts, e.g. to mount a small disk; the returned function is called after the end. */
  prepare?: (dataDir: string) => Promise<() => Promise<void>>;
}

type Environments = NonNullable<StartProductOptions['env']>;

/** The whole product, running, with what it takes to hurt it. */
export interface Harness {
  product: Product;
  dataDir: string;
  /** Where clients send readings to. */
  urls: readonly string[];
  /** @throws when there is no proxy in front of it */
  proxy(name: Proxied): TcpProxy;
  /** How often a part has become ready after a start: `ingest-1`, `kafka`. */
  timesReady(part: string): number;
  stop(): Promise<void>;
}

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const { brokers = 1, ingestReplicas = 1, isBalanced = false, proxied = [], prepare } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'cellarman-faults-'));
  const timesReady = new Map<string, number>();
  const proxies = new Map<Proxied, TcpProxy>();
  const undo = [
    () => rm(dataDir, { recursive: true, force: true }),
    async () => {
      for (const proxy of proxies.values()) await proxy.close();
    },
  ];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    if (prepare !== undefined) undo.push(await prepare(dataDir));
    const ports = await freePorts({ ingestReplicas, brokers });
    const env = await throughProxies();
    const wanted = typeof options.env === 'function' ? options.env(dataDir) : (options.env ?? {});
    const product = await startProduct({
      ...{ dataDir, ports, brokers, brokersThrough: options.brokersThrough },
      env: {
        ingest: { ...env.ingest, ...wanted.ingest },
        'key-service': { ...env['key-service'], ...wanted['key-service'] },
        sink: { ...env.sink, ...wanted.sink },
      },
      onEvent: (event) => {
        if (event.type === 'ready') timesReady.set(event.name, (timesReady.get(event.name) ?? 0) + 1);
      },
    });
    undo.push(() => product.stop());
    return {
      product,
      dataDir,
      urls: isBalanced !== false ? [await balance()] : product.run().ingestUrls,
      proxy(name) {
        const proxy = proxies.get(name);
        if (proxy === undefined) throw new Error(`There is no proxy in front of ${name}`);
        return proxy;
      },
      timesReady: (part) => timesReady.get(part) ?? 0,
      stop,
    };

    async function balance(): Promise<string> {
      const [port = 0] = await unusedPorts(1);
      const balancer = await startBalancer({
        ...{ port, ingestPorts: ports.ingest, dataDir },
        isByKey: isBalanced === 'by key',
      });
      undo.push(() => balancer.close());
      return balancer.url;
    }

    async function throughProxies(): Promise<Environments> {
      const at = new Map<Proxied, number>();
      for (const name of proxied) {
        const [port = 0] = await unusedPorts(1);
        at.set(name, port);
        proxies.set(name, await startTcpProxy({ port, upstreamPort: upstreamPort(ports, name) }));
      }
      const [kafka] = ports.engines.kafka;
      const advertised = at.get('kafka');
      if (kafka !== undefined && advertised !== undefined) kafka.advertised = advertised;
      return addresses(at, await localSecrets(dataDir));
    }
  } catch (error) {
    await stop();
    throw error;
  }
}

function upstreamPort({ engines, keyServiceInternal }: ProductPorts, name: Proxied): number {
  if (name === 'kafka') return engines.kafka[0]?.broker as number;
  return name === 'key-service' ? keyServiceInternal : engines[name];
}

/** The variables that send each service through the proxies. Kafka advertises its own host:port. */
function addresses(
  at: ReadonlyMap<Proxied, number>,
  { redisPassword, postgresPassword }: LocalSecrets,
): Environments {
  const variable = (name: Proxied, key: string, address: (port: number) => string) => {
    const port = at.get(name);
    return port === undefined ? {} : { [key]: address(port) };
  };
  const redis = variable('redis', 'REDIS_URL', (port) => `redis://:${redisPassword}@${HOST}:${port}`);
  const keyService = variable('key-service', 'KEY_SERVICE_URL', (port) => `http://${HOST}:${port}`);
  return {
    ingest: { ...redis, ...keyService },
    'key-service': {
      ...redis,
      ...variable(
        'postgres',
        'DATABASE_URL',
        (port) => `postgres://postgres:${postgresPassword}@${HOST}:${port}/cellarman`,
      ),
    },
    sink: { ...keyService, ...variable('clickhouse', 'CLICKHOUSE_URL', (port) => `http://${HOST}:${port}`) },
  };
}
