import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface SimulatorOptions {
  /** Base addresses of ingest; readings go to them in turn. */
  urls: string[];
  apiKey: string;
  cellar: string;
  racks: number;
  /** Readings per second, or Infinity for as many as get through. */
  rate: number;
  /** How many readings to send, and for how long; until Ctrl-C when both are Infinity. */
  count: number;
  durationMs: number;
  /** Readings in one request. */
  batch: number;
  /** Requests that are under way at a time, each on a connection of its own. */
  connections: number;
  retry: boolean;
  /** How long one reading is tried. */
  giveUpAfterMs: number;
  sendLog: string | undefined;
  /** Prints the summary as JSON. */
  json: boolean;
}

export const USAGE = `Usage: npx -y pnpm@12 simulate [options]

Posts readings of a fleet of racks. While Cellarman runs here, no option is needed.

  --url URL             base address of ingest; may be given several times
  --api-key KEY         or the environment variable CELLARMAN_API_KEY
  --cellar NAME         cellar of the readings
  --racks N             number of devices (100)
  --rate R|max          readings per second, or as many as get through (1000)
  --count N             stop after N readings
  --duration SECONDS    stop after a time
  --batch N             readings in one request (1)
  --connections N       requests under way at a time (64)
  --send-log FILE       write every reading and its outcome, one JSON object to a line
  --no-retry            send every reading only once
  --give-up-after S     try one reading for so many seconds (600)
  --run-file FILE       where the addresses stand (.local/run.json)
  --json                print the summary as JSON`;

/** Says what is wrong with the options, for the person who gave them. */
export class UsageError extends Error {}

export function readOptions(argv: string[], env = process.env): SimulatorOptions {
  const { values } = parse(argv);
  const run =
    values.url === undefined || values.cellar === undefined ? readRunFile(values['run-file']) : undefined;
  const apiKey = values['api-key'] ?? env['CELLARMAN_API_KEY'] ?? run?.demo?.apiKey;
  return {
    urls: required('--url', values.url ?? run?.ingestUrls).map((url) => url.replace(/\/+$/, '')),
    apiKey: required('--api-key', apiKey),
    cellar: required('--cellar', values.cellar ?? run?.demo?.cellar),
    racks: positive('--racks', values.racks, Number.isInteger),
    rate: values.rate === 'max' ? Infinity : positive('--rate', values.rate),
    count: values.count === undefined ? Infinity : positive('--count', values.count, Number.isInteger),
    durationMs: values.duration === undefined ? Infinity : positive('--duration', values.duration) * 1000,
    batch: positive('--batch', values.batch, Number.isInteger),
    connections: positive('--connections', values.connections, Number.isInteger),
    retry: !values['no-retry'],
    giveUpAfterMs: positive('--give-up-after', values['give-up-after']) * 1000,
    sendLog: values['send-log'],
    json: values.json,
  };
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      options: {
        url: { type: 'string', multiple: true },
        'api-key': { type: 'string' },
        cellar: { type: 'string' },
        racks: { type: 'string', default: '100' },
        rate: { type: 'string', default: '1000' },
        count: { type: 'string' },
        duration: { type: 'string' },
        batch: { type: 'string', default: '1' },
        connections: { type: 'string', default: '64' },
        'send-log': { type: 'string' },
        'no-retry': { type: 'boolean', default: false },
        'give-up-after': { type: 'string', default: '600' },
        'run-file': { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

interface RunFile {
  ingestUrls?: string[];
  demo?: { cellar: string; apiKey: string };
}

/** What the local stack says about itself while it runs. Undefined when it does not. */
function readRunFile(file: string | undefined): RunFile | undefined {
  const path = file ?? resolve(import.meta.dirname, '../../../.local/run.json');
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RunFile;
  } catch (error) {
    if (file === undefined) return undefined;
    throw new UsageError(`Cannot read ${file}: ${String(error)}`);
  }
}

function required<T>(option: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw new UsageError(`${option} is missing, and Cellarman does not run here (no .local/run.json)`);
}

function positive(option: string, text: string, also: (value: number) => boolean = Number.isFinite): number {
  const value = Number(text);
  if (value > 0 && also(value)) return value;
  throw new UsageError(`${option} must be a positive number, not ${JSON.stringify(text)}`);
}
