import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Sender } from './requests.ts';

export interface Load {
  connections: number;
  seconds: number;
  racks: number;
  /** More than one goes to the endpoint for batches. @default 1 */
  readingsInARequest?: number;
  /** One API key in a line, used in rotation instead of the target's, for single readings only. */
  keysFile?: string | undefined;
}

export interface LoadResult {
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

/** Posts readings as fast as responses come, by wrk (in Debian: `apt-get install wrk`). */
export async function runLoad(target: Sender, load: Load): Promise<LoadResult> {
  const { url, apiKey, cellar } = target;
  const { readingsInARequest = 1 } = load;
  const path = readingsInARequest === 1 ? '/api/v1/ingest' : '/api/v1/ingest/batch';
  const sizes = ['-t', '1', '-c', String(load.connections), '-d', `${load.seconds}s`, '--timeout', '10s'];
  const shape = [apiKey, cellar, String(load.racks), String(readingsInARequest), load.keysFile ?? ''];
  const script = join(import.meta.dirname, 'wrk-readings.lua');
  const child = spawn('wrk', [...sizes, '-s', script, url + path, '--', ...shape], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const line = /^JSON (.*)$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`wrk left no figures:\n${output}`);
  const { durationMs, ...figures } = JSON.parse(line) as Omit<LoadResult, 'readingsPerSecond'> & {
    durationMs: number;
  };
  return { readingsPerSecond: ((figures.requests * readingsInARequest) / durationMs) * 1_000, ...figures };
}
