import { constants } from 'node:os';
import { followAuthorities } from '@cellarman/tls';
import { stderrLogger } from './main-logger.ts';
import type { MainLogger } from './main-logger.ts';
import { createStopSteps } from './stop-steps.ts';
import type { Step } from './stop-steps.ts';

/** The variables that a process itself reads. */
export interface ProcessConfig {
  /** A file of authorities to trust. Its content may be renewed while the process runs. */
  NODE_EXTRA_CA_CERTS?: string;
  /** How long the stop may take before the process gives up. @default 60_000 */
  SHUTDOWN_DEADLINE_MS?: number;
}

/** A process that has started. */
export interface Running {
  /** Stops in order and resolves when nothing is left. Name its parts with `step`. */
  stop(step: Step): Promise<void>;
  /** Used for everything that the process logs from here on. */
  logger?: MainLogger;
}

export interface StartContext {
  /** Ends the process with one log line and exit code 1, for a part that cannot go on. A supervisor restarts it. */
  fail: (message: string, error?: unknown) => void;
}

export interface MainOptions<Config extends ProcessConfig> {
  /** For log lines: `ingest`. */
  name: string;
  /** Throws one error that lists every problem; it is printed as it is. `--check-config` does no more than this. */
  loadConfig: () => Config;
  /** Resolves with undefined when the work is done, as a migration is; then the process ends with 0. */
  start: (config: Config, context: StartContext) => Promise<Running | undefined>;
}

const DEADLINE_MS = 60_000;

/**
 * Runs a service until a signal; the one place that ends its process.
 *
 * Exit codes: 0 after an orderly stop; 1 when configuration or start failed, after an uncaught error, and
 * when the stop failed or missed its deadline; 128 + its number when a second signal forces the end.
 */
export async function runMain<Config extends ProcessConfig>(options: MainOptions<Config>): Promise<void> {
  const { name } = options;
  let logger: MainLogger = stderrLogger(name);
  const fail = (message: string, error?: unknown): never => {
    logger.fatal(error === undefined ? {} : { err: error }, message);
    return process.exit(1);
  };
  process.once('uncaughtException', (error) => fail('uncaught error, exiting', error));
  process.once('unhandledRejection', (reason) =>
    fail('a rejection was not handled, the process ends', reason),
  );
  // The reader of the logs may end. A service does not end with it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

  const config = loadOrExit(options);
  trustAuthorities();
  const signalled = firstSignal();
  const running = await Promise.race([
    signalled,
    options.start(config, { fail }).catch((error: unknown) => fail(`${name} could not start`, error)),
  ]);
  if (typeof running === 'string') {
    logger.info({ signal: running }, `${name} was stopped before it had started`);
    return process.exit(0);
  }
  if (running === undefined) return process.exit(0);
  logger = running.logger ?? logger;

  const signal = await signalled;
  const deadlineMs = config.SHUTDOWN_DEADLINE_MS ?? DEADLINE_MS;
  const { step, left } = createStopSteps();
  onSignal((again) => {
    logger.fatal({ signal: again, left: left() }, `${name} was forced to end`);
    process.exit(128 + constants.signals[again]);
  });
  setTimeout(
    () => fail(`${name} did not stop within ${deadlineMs} ms, still running: ${left()}`),
    deadlineMs,
  );

  logger.info({ signal, deadlineMs }, `${name} stops`);
  await running
    .stop(step)
    .catch((error: unknown) => fail(`${name} could not stop cleanly, still running: ${left()}`, error));
  logger.info({ signal }, `${name} has stopped`);
  process.exit(0);

  function trustAuthorities(): void {
    const file = config.NODE_EXTRA_CA_CERTS;
    if (file === undefined) return;
    try {
      followAuthorities({
        file,
        logger: {
          info: (details, message) => logger.info(details, message),
          warn: (details, message) => logger.warn(details, message),
        },
      });
    } catch (error) {
      fail(`${name} could not start: NODE_EXTRA_CA_CERTS cannot be used`, error);
    }
  }
}

/** An operator reads this on a terminal, so it is the plain text of the error. */
function loadOrExit<Config extends ProcessConfig>(options: MainOptions<Config>): Config {
  const checkOnly = process.argv.includes('--check-config');
  try {
    const config = options.loadConfig();
    if (checkOnly) {
      process.stdout.write(`${options.name}: the configuration is valid\n`);
      process.exit(0);
    }
    return config;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => onSignal(resolve));
}

function onSignal(listener: (signal: NodeJS.Signals) => void): void {
  process.on('SIGTERM', listener);
  process.on('SIGINT', listener);
}
