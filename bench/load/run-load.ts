import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import autocannon from 'autocannon';
import type { Sender } from './requests.ts';

export interface Load {
  connections: number;
  seconds: number;
  racks: number;
  /** More than one goes to the endpoint for batches. @default 1 */
  readingsInARequest?: number;
  /** One API key in a line, used in rotation instead of the target's. By wrk and for single readings only. */
  keysFile?: string | undefined;
}

export interface LoadResult {
  generator: 'wrk' | 'autocannon';
  requests: number;
  readingsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Responses other than 2xx. */
  rejected: number;
  /** Connections that broke, and time-outs. */
  broken: number;
}

/** Posts readings as fast as responses come: by wrk where it is installed, else by autocannon, which takes more CPU. */
export async function runLoad(target: Sender, load: Load): Promise<LoadResult> {
  return spawnSync('wrk', ['--version']).error === undefined
    ? runWrk(target, load)
    : runAutocannon(target, load);
}

function pathOf({ readingsInARequest = 1 }: Load): string {
  return readingsInARequest === 1 ? '/api/v1/ingest' : '/api/v1/ingest/batch';
}

async function runWrk(target: Sender, load: Load): Promise<LoadResult> {
  const script = join(import.meta.dirname, 'wrk-readings.lua');
  const { url, apiKey, cellar } = target;
  const { readingsInARequest = 1 } = load;
  const sizes = ['-t', '1', '-c', String(load.connections), '-d', `${load.seconds}s`, '--timeout', '10s'];
  const shape = [apiKey, cellar, String(load.racks), String(readingsInARequest), load.keysFile ?? ''];
  const args = [...sizes, '-s', script, `${url}${pathOf(load)}`, '--', ...shape];
  const output = await new Promise<string>((resolve, reject) => {
    const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('error', reject);
    child.on('close', () => resolve(text));
  });
  const line = /^JSON (.*)$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`wrk left no figures:\n${output}`);
  const { durationMs, ...figures } = JSON.parse(line) as Omit<
    LoadResult,
    'generator' | 'readingsPerSecond'
  > & { durationMs: number };
  const readingsPerSecond = ((figures.requests * readingsInARequest) / durationMs) * 1000;
  return { generator: 'wrk', readingsPerSecond, ...figures };
}

async function runAutocannon(target: Sender, load: Load): Promise<LoadResult> {
  if (load.keysFile !== undefined) throw new Error('Many keys need wrk');
  const { url, apiKey, cellar } = target;
  const { readingsInARequest = 1 } = load;
  const now = Date.now();
  const reading = (i: number) => ({
    cellar,
    rack: `rack-${String((i % load.racks) + 1).padStart(7, '0')}`,
    keg: 'temperature',
    value: Math.round(Math.random() * 1e6) / 1e4,
    timestamp: new Date(now - i * 7).toISOString(),
  });
  const requests = Array.from({ length: 2000 }, (_, i) => ({
    method: 'POST' as const,
    path: pathOf(load),
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(
      readingsInARequest === 1
        ? reading(i)
        : Array.from({ length: readingsInARequest }, (_, k) => reading(i * readingsInARequest + k)),
    ),
  }));
  const result = await autocannon({ url, connections: load.connections, duration: load.seconds, requests });
  return {
    generator: 'autocannon',
    requests: result.requests.total,
    readingsPerSecond: (result.requests.total / result.duration) * readingsInARequest,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    maxMs: result.latency.max,
    rejected: result.non2xx,
    broken: result.errors + result.timeouts,
  };
}
