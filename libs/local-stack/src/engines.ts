/**
 * Runs the four engines alone, for working on one service or for several test runs in a row:
 * `node libs/local-stack/src/engines.ts --data-dir DIRECTORY [--ports free|default] [--write FILE]`.
 * FILE then holds the URLs and passwords as JSON; CELLARMAN_ENGINES=FILE lets tests use them. Ctrl-C stops all.
 */
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultPorts } from './ports.ts';
import { writePrivateJson } from './product/private-json.ts';
import { startEngines } from './engines/start-engines.ts';
import { StartError } from './start-error.ts';
import { describeEvent } from './progress/describe-event.ts';

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    ports: { type: 'string', default: 'free' },
    write: { type: 'string' },
  },
});

try {
  await main();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { 'data-dir': dataDir, ports, write } = values;
  if (dataDir === undefined || (ports !== 'free' && ports !== 'default')) {
    throw new StartError('Usage: engines.ts --data-dir DIRECTORY [--ports free|default] [--write FILE]');
  }
  const engines = await startEngines({
    dataDir: resolve(dataDir),
    ports: ports === 'free' ? 'free' : defaultPorts().engines,
    onEvent: (event) => process.stdout.write(`${describeEvent(event)}\n`),
  });
  process.stdout.write(`${JSON.stringify(engines.urls, null, 2)}\n`);
  if (write !== undefined) await writePrivateJson(write, engines.urls);

  const stop = async (): Promise<void> => {
    await engines.stop();
    if (write !== undefined) await rm(write, { force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void stop());
}
