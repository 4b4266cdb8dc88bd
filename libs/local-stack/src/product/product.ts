import { join } from 'node:path';
import { buildDashboard, isDashboardStale } from './build-dashboard.ts';
import { demoKey } from './demo-key.ts';
import { prepareEngines } from '../engines/engine-set.ts';
import type { StartedThrough } from '../engines/kafka-brokers.ts';
import { localSecrets } from './local-secrets.ts';
import { freePorts, HOST, requireFreePorts } from '../ports.ts';
import type { ProductPorts } from '../ports.ts';
import { createStep } from '../progress/stack-event.ts';
import type { OnStackEvent } from '../progress/stack-event.ts';
import { createProductDatabase, productDatabaseUrl } from './product-database.ts';
import { createRunFile } from './run-file.ts';
import type { RunFile } from './run-file.ts';
import { ADMIN_EMAIL, CLICKHOUSE_DATABASE, productServices } from './services.ts';
import type { ServiceEnvironments } from './services.ts';
import { StartError } from '../start-error.ts';
import { supervisedDirectory } from '../supervise/supervised-directory.ts';
import type { Supervisor } from '../supervise/supervisor.ts';

export interface StartProductOptions {
  /** Holds all data, logs and secrets; a directory of a former start goes on where that one stopped. */
  dataDir: string;
  /** `'free'`: whatever is free, for as many of ingest and of Kafka's brokers as the next two say. */
  ports: ProductPorts | 'free';
  /** @default 1 */
  ingestReplicas?: number;
  /** 3: a topic with three replicas, of which two must be in sync. @default 1 */
  brokers?: 1 | 3;
  /** Programs that single brokers are started through, e.g. to distinguish their packets. */
  brokersThrough?: StartedThrough | undefined;
  /** Environment variables for single services, over those of the local stack. */
  env?: ServiceEnvironments;
  onEvent?: OnStackEvent;
  /** Stops a start that is under way. */
  signal?: AbortSignal;
}

export interface Product {
  /** What `run.json` says now. */
  run: () => RunFile;
  /** @param index which of the replicas or brokers */
  kill: (name: string, index: number, signal: NodeJS.Signals) => void;
  /** Kills with SIGKILL, and prevents a restart until the returned function is called. */
  takeDown: (name: string, index: number) => Promise<() => void>;
  /** Stops the services, then the engines. Nothing is lost; the next start goes on. */
  stop: () => Promise<void>;
}

/**
 * Starts the engines and the services as production would have them, with a demo cellar and an API key.
 *
 * @throws {StartError} when something is missing or taken; nothing is left running then
 */
export async function startProduct(options: StartProductOptions): Promise<Product> {
  const { dataDir, onEvent = () => undefined, signal } = options;
  const ports = options.ports === 'free' ? await freePorts(options) : options.ports;
  const step = createStep(onEvent);
  const { engines, urls: engineUrls } = await prepareEngines({
    ...{ dataDir, ports: ports.engines, step },
    brokersThrough: options.brokersThrough,
  });

  const supervisor = await supervisedDirectory(dataDir, {
    onEvent: async (event) => {
      onEvent(event);
      if (event.type === 'started') await runFile.refresh();
    },
  });
  const runFile = createRunFile(dataDir, () => supervisor.processes());
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    await runFile.remove();
  };
  const giveUp = (): void => void supervisor.stop();
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted === true) giveUp();
  try {
    await runFile.remove();
    await requireFreePorts(ports);
    await runFile.publish(await startAll(supervisor));
  } catch (error) {
    await stop();
    throw signal?.aborted === true ? new StartError('Stopped while starting.') : error;
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
  const { kill, takeDown } = supervisor;
  return { run: () => runFile.current(), kill, takeDown, stop };

  async function startAll({ supervise }: Supervisor): Promise<Omit<RunFile, 'processes'>> {
    const secrets = await localSecrets(dataDir);
    const urls = { ...engineUrls, databaseUrl: productDatabaseUrl(engines.postgres.url) };
    const logsDir = join(dataDir, 'logs');
    const services = productServices({ ports, urls, secrets, logsDir, env: options.env });

    // Kafka takes longest: key-service comes up meanwhile.
    await Promise.all([
      isDashboardStale().then((isStale) => (isStale ? step('dashboard', buildDashboard) : undefined)),
      supervise([engines.redis, engines.postgres])
        .then(() => createProductDatabase(engines.postgres.url))
        .then(() => supervise([services.keyService])),
      supervise([...engines.kafka, engines.clickhouse]).then(() =>
        step('topics and tables', () => services.migrate()),
      ),
    ]);
    await Promise.all([supervise([services.sink, services.query]), supervise(services.ingest)]);

    const ingestUrls = ports.ingest.map(at);
    const ingestUrl = ingestUrls[0] as string;
    const keyServiceUrl = at(ports.keyService);
    const admin = { email: ADMIN_EMAIL, password: secrets.adminPassword };
    const demo = await step('demo cellar', () => demoKey({ dataDir, ingestUrl, keyServiceUrl, admin }));
    return {
      ...{
        ingestUrl,
        ingestUrls,
        keyServiceUrl,
        keyServiceInternalUrl: at(ports.keyServiceInternal),
        // key-service serves it.
        dashboardUrl: keyServiceUrl,
        queryUrl: at(ports.query),
        queryOperationsUrl: at(ports.queryOperations),
        sinkUrl: at(ports.sink),
      },
      ...{ ...urls, clickhouseDatabase: CLICKHOUSE_DATABASE, admin, demo },
    };
  }
}

function at(port: number): string {
  return `http://${HOST}:${port}`;
}
