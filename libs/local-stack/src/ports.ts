import { createServer } from 'node:net';
import { StartError } from './start-error.ts';

export const HOST = '127.0.0.1';

/** Where everything listens unless told otherwise; `--port-offset N` adds N to each. */
export const DEFAULT_PORTS = {
  ingest: 4000,
  keyService: 4100,
  sink: 4200,
  clickhouse: 4323,
  redis: 4379,
  kafka: 4392,
  kafkaController: 4393,
  postgres: 4432,
} as const;

export type Ports = Record<keyof typeof DEFAULT_PORTS, number>;
export type EnginePorts = Omit<Ports, 'ingest' | 'keyService' | 'sink'>;

export function shiftedPorts(offset: number): Ports {
  return Object.fromEntries(
    Object.entries(DEFAULT_PORTS).map(([name, port]) => [name, port + offset]),
  ) as Ports;
}

/** As many different free ports as asked for. They are held together before any is given back. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

export async function freeEnginePorts(): Promise<EnginePorts> {
  const [kafka, kafkaController, redis, postgres, clickhouse] = (await freePorts(5)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { kafka, kafkaController, redis, postgres, clickhouse };
}

/** @throws {StartError} naming the first port that somebody else holds */
export async function requireFreePorts(ports: Readonly<Record<string, number>>): Promise<void> {
  for (const [name, port] of Object.entries(ports)) {
    try {
      const server = await listen(port);
      await new Promise((resolve) => server.close(resolve));
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'is taken' : String(error);
      throw new StartError(
        `Port ${port} (${name}) ${reason}, perhaps by another Cellarman or another server (see: lsof -i :${port}). ` +
          `Stop it, or shift all ports: npx -y pnpm@12 start --port-offset 1000`,
      );
    }
  }
}

function listen(port: number): Promise<ReturnType<typeof createServer>> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: HOST, port, exclusive: true }, () => resolve(server));
  });
}
