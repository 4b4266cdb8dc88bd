import { startTelemetry } from '@cellarman/telemetry';
import type { Logger, Telemetry, TelemetryConfig, TelemetryOptions } from '@cellarman/telemetry';
import { observeCertificates, serverTls } from '@cellarman/tls';
import type { ServerTls } from '@cellarman/tls';
import { gracefulHttpStop } from './graceful-http-stop.ts';
import { createOperationsApp } from './operations-app.ts';
import { createReadiness } from './readiness.ts';
import type { Readiness } from './readiness.ts';
import type { ProcessConfig, StartContext } from './run-main.ts';
import type { Step } from './stop-steps.ts';

/** The variables that every service has. */
export interface ServiceConfig extends ProcessConfig, TelemetryConfig {
  HOST: string;
  TLS_CERT_FILE?: string;
  TLS_KEY_FILE?: string;
}

export interface ServiceDefinition<Config extends ServiceConfig, Result extends RunningService> {
  /** For logs and telemetry: `ingest`. */
  name: string;
  version: string;
  /** Parts that must report before the service is ready. `http` reports by itself. */
  parts: readonly string[];
  /** See `startTelemetry`. */
  trustRemoteParent?: boolean;
  /** The port for probes and metrics, if they have one of their own. It listens before `start` is called. */
  operationsPort?: (config: Config) => number | undefined;
  /** Throws one error that lists every problem. */
  loadConfig: () => Config;
  start: (service: Service<Config>) => Promise<Result>;
}

/** What a service starts with. */
export interface Service<Config> extends StartContext {
  config: Config;
  telemetry: Telemetry;
  logger: Logger;
  readiness: Readiness;
  /** What its servers serve with; undefined without a certificate. */
  tls: ServerTls | undefined;
}

export interface RunningService {
  /** The base URL of its HTTP API, if it has one. */
  url?: string;
  /** The URL for probes and metrics, for a service that serves them itself. @default that of `operationsPort`, or `url` */
  operationsUrl?: string;
  /** Stops in order what `start` began. Telemetry, probes and metrics are stopped afterwards. */
  stop: (step: Step) => Promise<void>;
}

export interface StartServiceOptions extends Partial<StartContext> {
  /** Where log lines go, for tests. @default stdout */
  stdout?: TelemetryOptions['stdout'];
}

/** Scrapes and probes in progress get this long when everything else has stopped. */
const OPERATIONS_DRAIN_MS = 1_000;

/** Starts telemetry, then probes and metrics, then the service; stops them in the opposite order. */
export async function startService<Config extends ServiceConfig, Result extends RunningService>(
  definition: ServiceDefinition<Config, Result>,
  config: Config,
  { fail = reject, stdout }: StartServiceOptions = {},
): Promise<Result & { url: string; operationsUrl: string; logger: Logger }> {
  const { name, version, trustRemoteParent = true } = definition;
  const telemetry = await startTelemetry({
    ...{ service: name, version, config, trustRemoteParent },
    ...(stdout === undefined ? {} : { stdout }),
  });
  const { logger, meter, metricsText } = telemetry;
  const readiness = createReadiness({
    parts: definition.parts,
    onChange: (part, report) =>
      logger.info({ part, ...report }, `${part} is ${report.ready ? '' : 'not '}ready`),
  });
  observeCertificates(meter, config);
  const tls = serverTls(config, logger);

  const port = definition.operationsPort?.(config);
  const operations = port === undefined ? undefined : createOperationsApp({ readiness, metricsText, tls });
  const ownUrl = await operations?.listen({ host: config.HOST, port: port ?? 0 });
  if (ownUrl !== undefined) logger.info({ url: ownUrl }, 'serving probes and metrics');

  const running = await definition.start({ config, telemetry, logger, readiness, tls, fail });
  if (running.url !== undefined) readiness.set('http', true);
  const url = running.url ?? ownUrl ?? '';
  const operationsUrl = running.operationsUrl ?? ownUrl ?? url;
  logger.info({ url, operationsUrl }, `${name} has started`);

  async function stop(step: Step): Promise<void> {
    readiness.set('process', false, 'shutting down');
    await running.stop(step);
    await step('telemetry', () => telemetry.stop());
    if (operations === undefined) return;
    const times = { deregistrationDelayMs: 0, drainMs: OPERATIONS_DRAIN_MS };
    await step('operations', () => gracefulHttpStop(operations, { readiness, ...times }));
  }
  return { ...running, url, operationsUrl, logger, stop };
}

function reject(message: string, error?: unknown): never {
  throw new Error(message, { cause: error });
}
