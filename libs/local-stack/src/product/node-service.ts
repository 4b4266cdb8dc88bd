import { fileURLToPath } from 'node:url';
import type { Startable } from '../supervise/startable.ts';
import { HOST } from '../ports.ts';
import { spawnProcess } from '../supervise/spawn-process.ts';

export type ServiceName = 'ingest' | 'key-service' | 'query' | 'sink';

export interface NodeServiceOptions {
  service: ServiceName;
  /** Unique: `ingest-2`. */
  name: string;
  port: number;
  env: NodeJS.ProcessEnv;
  logFile: string;
}

export const CHECKOUT = fileURLToPath(new URL('../../../..', import.meta.url));

export function mainFile(service: ServiceName): string {
  return `services/${service}/src/main.ts`;
}

/** A service of this checkout, run from its sources. It is ready when its `/readyz` says so. */
export function nodeService({ service, name, port, env, logFile }: NodeServiceOptions): Startable {
  return {
    name,
    kind: service,
    start: () =>
      spawnProcess({
        name,
        command: process.execPath,
        args: [mainFile(service)],
        cwd: CHECKOUT,
        env: { ...env, HOST, PORT: String(port) },
        logFile,
        answers: async () => {
          const url = `http://${HOST}:${port}/readyz`;
          const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
          if (response.ok) return true;
          throw new Error(`${url} returns ${response.status} ${await response.text()}`);
        },
      }),
  };
}
