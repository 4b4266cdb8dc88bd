/* eslint-disable no-console -- the result goes to the terminal */
/** Runs the senders of docs/senders with the product: `npx -y pnpm@12 senders [SENDER…]`. */
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startProduct } from '@cellarman/local-stack';
import { pythonEnvironment } from '../python-environment.ts';
import { runSender } from './run-sender.ts';
import { REQUIREMENTS, SENDERS } from './senders.ts';

const { values, positionals: names } = parseArgs({
  options: { help: { type: 'boolean', short: 'h', default: false } },
  allowPositionals: true,
});
const unknown = names.find((name) => SENDERS[name] === undefined);
if (values.help || unknown !== undefined) {
  const usage = `Usage: npx -y pnpm@12 senders [SENDER…]

Starts the whole product, and sends to it with what people already have (docs/senders).
The tools must be on the PATH or in the directory TOOLS. A sender without its tool is a failure.

Senders: ${Object.keys(SENDERS).join(', ')}`;
  if (unknown === undefined) console.log(usage);
  else console.error(`There is no sender ${unknown}.\n\n${usage}`);
  process.exit(unknown === undefined ? 0 : 1);
}
const environment = await pythonEnvironment(REQUIREMENTS);
const path = [
  'python' in environment ? dirname(environment.python) : undefined,
  process.env['TOOLS'],
  process.env['PATH'],
]
  .filter((part) => part !== undefined)
  .join(delimiter);

async function isInstalled(tool: string): Promise<boolean> {
  const found = await Promise.allSettled(path.split(delimiter).map((folder) => access(join(folder, tool))));
  return found.some(({ status }) => status === 'fulfilled');
}

const dataDir = await mkdtemp(join(tmpdir(), 'cellarman-senders-'));
const product = await startProduct({ dataDir, ports: 'free' });
let failures = 0;
try {
  for (const name of names.length > 0 ? names : Object.keys(SENDERS)) {
    const sender = SENDERS[name];
    if (sender === undefined) continue;
    if (!(await isInstalled(sender.tool))) {
      failures++;
      console.log(`${name}: NOT RUN. It needs ${sender.tool}: ${sender.install}`);
      continue;
    }
    const { stored, missing, repeated, failed } = await runSender(name, sender, product.run(), path);
    const isGood = missing.length === 0 && repeated.length === 0;
    if (!isGood) failures++;
    const requests = `${failed.unavailable} requests got 503, ${failed.lost} responses were lost`;
    console.log(
      `${name}: ${isGood ? 'passed' : 'FAILED'}. ${stored} readings are stored, ${missing.length} are missing, ${repeated.length} repeated; ${requests}`,
    );
  }
} finally {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
