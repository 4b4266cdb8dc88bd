/** The README's first command: runs all of Cellarman on this machine until Ctrl-C. */
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { describeRun } from './product/describe-run.ts';
import { CHECKOUT } from './product/node-service.ts';
import { defaultPorts, MOST_INGEST_REPLICAS } from './ports.ts';
import { startProduct } from './product/product.ts';
import { createProgress } from './progress/progress.ts';
import { StartError } from './start-error.ts';

const USAGE =
  'Usage: npx -y pnpm@12 start [--ingest-replicas N] [--brokers 1|3] [--port-offset N] [--data-dir DIRECTORY]';
const HELP = `${USAGE}

Runs Kafka, ClickHouse, PostgreSQL, Redis and all services on this machine.

  --ingest-replicas N   1 to ${MOST_INGEST_REPLICAS} replicas of ingest (1)
  --brokers 1|3         Kafka brokers, and replicas of each partition (1)
  --port-offset N       added to every port (0)
  --data-dir DIRECTORY  data, logs and secrets (.local)

Ctrl-C stops everything and keeps the data.
`;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const stopped = new AbortController();
// A terminal sends Ctrl-C to pnpm too, which passes it on: all but the first are ignored.
for (const signal of STOP_SIGNALS) process.on(signal, () => stopped.abort());
// A terminal that is closed takes no output, and that must not hinder the stop.
process.stdout.on('error', () => undefined);

try {
  await main();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = stopped.signal.aborted ? 0 : 1;
}

async function main(): Promise<void> {
  const values = parse();
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const { dataDir, ports } = readArguments(values);
  const progress = createProgress(process.stdout);
  const product = await startProduct({
    dataDir,
    ports,
    onEvent: (event) => progress.show(event),
    signal: stopped.signal,
  });
  progress.finish();
  process.stdout.write(describeRun(product.run(), dataDir));

  // Signal handlers alone keep no process alive.
  const alive = setInterval(() => undefined, 1 << 30);
  await new Promise((resolve) => stopped.signal.addEventListener('abort', resolve, { once: true }));
  clearInterval(alive);
  process.stdout.write('\nStopping the services, then the engines …\n');
  await product.stop();
  process.stdout.write('Stopped. The next start goes on with the same data.\n');
}

function readArguments(values: ReturnType<typeof parse>): {
  dataDir: string;
  ports: ReturnType<typeof defaultPorts>;
} {
  const ingestReplicas = Number(values['ingest-replicas']);
  const brokers = Number(values.brokers);
  const offset = Number(values['port-offset']);
  if (
    !isBetween(ingestReplicas, 1, MOST_INGEST_REPLICAS) ||
    !isBetween(offset, -3_000, 60_000) ||
    (brokers !== 1 && brokers !== 3)
  ) {
    throw new StartError(`${USAGE}, with 1 to ${MOST_INGEST_REPLICAS} replicas`);
  }
  return { dataDir: resolve(values['data-dir']), ports: defaultPorts({ ingestReplicas, brokers, offset }) };
}

function parse() {
  try {
    return parseArgs({
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        'ingest-replicas': { type: 'string', default: '1' },
        brokers: { type: 'string', default: '1' },
        'port-offset': { type: 'string', default: '0' },
        'data-dir': { type: 'string', default: resolve(CHECKOUT, '.local') },
      },
    }).values;
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n${USAGE}`);
  }
}

function isBetween(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
