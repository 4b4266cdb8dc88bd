import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface SimulatorOptions {
  /** Base URLs of ingest, used round-robin. */
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

Simulates a fleet of racks that post readings. While the local stack runs, no option is required.

  --url URL             base URL of ingest; repeatable
  --api-key KEY         API key (default: the environment variable CELLARMAN_API_KEY)
  --cellar NAME         cellar of the readings
  --racks N             number of devices (100)
  --rate R|max          readings per second, or max for the highest possible rate (1000)
  --count N             stop after N readings
  --duration SECONDS    stop after this time
  --batch N             readings per request (1)
  --connections N       concurrent requests (64)
  --send-log FILE       log every reading and its outcome, one JSON object per line
  --no-retry            do not retry
  --give-up-after S     retry a reading for this many seconds (600)
  --run-file FILE       run.json of a local stack (.local/run.json)
  --json                print the summary as JSON`;

/** An error in the options, with a message for the user. */
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

/** Returns what the running local stack has written, or undefined if none is running. */
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
  throw new UsageError(`${option} is required, because no local stack is running (no .local/run.json)`);
}

function positive(option: string, text: string, also: (value: number) => boolean = Number.isFinite): number {
  const value = Number(text);
  if (value > 0 && also(value)) return value;
  throw new UsageError(`${option} must be a positive number, not ${JSON.stringify(text)}`);
}
