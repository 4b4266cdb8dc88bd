import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createLimiter } from '@cellarman/concurrency';
import type { Credentials } from './check-credentials.ts';
import { ClickHouseException } from './clickhouse-exception.ts';
import { openEngine } from './engine.ts';
import { engineArguments } from './engine-settings.ts';
import { createQueryHandler } from './handle-query.ts';
import { createHttpServer } from './http-server.ts';
import type { PlanLimits } from './plan-statement.ts';
import { createIncomingData } from './incoming-data.ts';
import { createRunningQueries } from './running-queries.ts';
import { createSessions } from './sessions.ts';

export interface ServerOptions {
  dataDirectory: string;
  host: string;
  port: number;
  users: readonly Credentials[];
  limits: PlanLimits & {
    running: number;
    waiting: number;
    /** What the engine may allocate, all statements together. */
    memoryBytes: number;
  };
}

export interface RunningServer {
  url: string;
  version: string;
  /** Lets running statements end for `graceMs`, stops the others, and closes the engine. */
  stop(graceMs: number): Promise<void>;
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  await mkdir(options.dataDirectory, { recursive: true });
  const engine = await openEngine(
    options.dataDirectory,
    await engineArguments(options.dataDirectory, options.limits.memoryBytes),
  );
  const { running: mostRunning, waiting: mostWaiting } = options.limits;
  const slots = createLimiter({
    ...{ running: mostRunning, waiting: mostWaiting },
    full: () =>
      ClickHouseException.reject(
        'TOO_MANY_SIMULTANEOUS_QUERIES',
        `Too many simultaneous queries. ${mostRunning} are running, ${mostWaiting} are waiting`,
      ),
  });
  const sessions = createSessions(engine);
  const running = createRunningQueries(engine);
  const server = createHttpServer({
    timezone: engine.timezone,
    handleQuery: createQueryHandler({
      engine,
      users: options.users,
      slots,
      sessions,
      running,
      incoming: await createIncomingData(options.dataDirectory),
      limits: options.limits,
    }),
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host}:${port}`,
    version: engine.version,
    async stop(graceMs) {
      server.close();
      await running.drain(graceMs);
      server.closeAllConnections();
      sessions.close();
      engine.close();
    },
  };
}
