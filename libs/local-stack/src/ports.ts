import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { StartError } from './start-error.ts';

/** Everything listens here and nowhere else. */
export const HOST = '127.0.0.1';

export interface BrokerPorts {
  broker: number;
  controller: number;
  /** The port that clients and other brokers are sent to, for a proxy in between. @default broker */
  advertised?: number;
}

export interface EnginePorts {
  /** One for each broker. */
  kafka: BrokerPorts[];
  redis: number;
  postgres: number;
  clickhouse: number;
}

export interface ProductPorts {
  engines: EnginePorts;
  keyService: number;
  /** INTERNAL_PORT of key-service. */
  keyServiceInternal: number;
  sink: number;
  query: number;
  /** OPERATIONS_PORT of query. */
  queryOperations: number;
  /** One for each replica. */
  ingest: number[];
}

export const MOST_INGEST_REPLICAS = 50;

export interface PortCounts {
  /** @default 1 */
  ingestReplicas?: number | undefined;
  /** @default 1 */
  brokers?: number | undefined;
}

/** The default port of every process. */
export function defaultPorts({
  ingestReplicas = 1,
  brokers = 1,
  offset = 0,
}: PortCounts & { offset?: number } = {}): ProductPorts {
  return {
    ingest: Array.from({ length: ingestReplicas }, (_, index) => 4000 + index + offset),
    keyService: 4100 + offset,
    keyServiceInternal: 4110 + offset,
    sink: 4200 + offset,
    query: 4300 + offset,
    queryOperations: 4310 + offset,
    engines: {
      clickhouse: 4323 + offset,
      redis: 4379 + offset,
      kafka: Array.from({ length: brokers }, (_, index) => ({
        broker: 4392 + 2 * index + offset,
        controller: 4393 + 2 * index + offset,
      })),
      postgres: 4432 + offset,
    },
  };
}

/** Ports that nobody uses, for tests. */
export async function freePorts({ ingestReplicas = 1, brokers = 1 }: PortCounts = {}): Promise<ProductPorts> {
  const ports = await unusedPorts(8 + 2 * brokers + ingestReplicas);
  const next = (): number => ports.pop() as number;
  return {
    engines: {
      kafka: Array.from({ length: brokers }, () => ({ broker: next(), controller: next() })),
      redis: next(),
      postgres: next(),
      clickhouse: next(),
    },
    keyService: next(),
    keyServiceInternal: next(),
    sink: next(),
    query: next(),
    queryOperations: next(),
    ingest: ports,
  };
}

const BLOCKS = 220;
const BLOCK_SIZE = 100;
/** Behind 10080, the last port that `fetch` blocks. */
const FIRST_BLOCK = 10_100;
/** In the block of this process, which port is looked at next. */
let nextInBlock = Math.floor(Math.random() * BLOCK_SIZE);

/**
 * Returns ports that stay free while their process restarts. Ephemeral ports (port 0) do not: a client that retries a closed
 * port in the ephemeral range can get it as its source port, and then connects to itself. Each process searches a block of its
 * own, so that concurrent starts do not choose the same ports. It cycles through the block, because the ports of the previous
 * call may not be bound yet.
 */
export async function unusedPorts(count: number): Promise<number[]> {
  const block = FIRST_BLOCK + ((process.pid * 37) % BLOCKS) * BLOCK_SIZE;
  const held: Server[] = [];
  try {
    for (let looked = 0; looked < BLOCK_SIZE && held.length < count; looked++) {
      const port = block + nextInBlock;
      nextInBlock = (nextInBlock + 1) % BLOCK_SIZE;
      const server = await listen(port).catch(() => undefined);
      if (server !== undefined) held.push(server);
    }
    if (held.length < count) throw new Error(`Ports ${block} to ${block + BLOCK_SIZE - 1} are taken`);
    return held.map((server) => (server.address() as AddressInfo).port);
  } finally {
    await Promise.all(held.map(close));
  }
}

/** @throws {StartError} naming the first port that is in use, or that browsers and `fetch` block */
export async function requireFreePorts(ports: ProductPorts): Promise<void> {
  const { engines, keyService, keyServiceInternal, sink, query, queryOperations, ingest } = ports;
  const { kafka, clickhouse, ...others } = engines;
  const overHttp: [string, number][] = [
    ...ingest.map((port, index): [string, number] => [`ingest ${index + 1}`, port]),
    ...Object.entries({ 'key-service': keyService, sink, query, clickhouse }),
    ['the internal routes of key-service', keyServiceInternal],
    ['the metrics of query', queryOperations],
  ];
  const named: [string, number][] = [
    ...overHttp,
    ...kafka.flatMap(({ broker, controller }, index): [string, number][] => [
      [`kafka ${index + 1}`, broker],
      [`the controller of kafka ${index + 1}`, controller],
    ]),
    ...Object.entries(others),
  ];
  for (const [name, port] of overHttp) {
    if (await isBadPort(port)) throw unusable(name, port, 'is one that browsers and fetch reject');
  }
  for (const [name, port] of named) {
    try {
      await close(await listen(port));
    } catch (error) {
      throw unusable(name, port, portProblem(error));
    }
  }

  function unusable(name: string, port: number, why: string): StartError {
    return new StartError(
      `Port ${port}, for ${name}, ${why}. Shift all ports with: npx -y pnpm@12 start --port-offset 1000`,
    );
  }

  function portProblem(error: unknown): string {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'EADDRINUSE'
      ? 'is taken, by another checkout of Cellarman or another program (lsof -i names it)'
      : `cannot be used: ${message}`;
  }
}

/**
 * Returns whether `fetch` blocks a port, as every browser does. It fails before it connects.
 *
 * https://fetch.spec.whatwg.org/#bad-port
 */
async function isBadPort(port: number): Promise<boolean> {
  const error: unknown = await fetch(`http://${HOST}:${port}`, { signal: AbortSignal.timeout(1_000) }).then(
    (response) => response.body?.cancel(),
    (reason: unknown) => reason,
  );
  return error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port';
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: HOST, port, exclusive: true }, () => resolve(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
