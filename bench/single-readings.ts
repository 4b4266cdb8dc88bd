/* eslint-disable no-console -- prints a table */
/**
 * Single readings: ingest against the baselines "bare" and "minimal", one after the other, in pairs, in one run.
 *
 * `node bench/single-readings.ts [--connections 64,512] [--pairs 3] [--seconds 10] [--json FILE]`
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startProduct } from '@cellarman/local-stack';
import { cpuMicroseconds, residentMiB } from './cpu-time.ts';
import { runLoad } from './load/run-load.ts';
import type { LoadResult, Target } from './load/run-load.ts';
import { median, round } from './median.ts';

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '64,512' },
    pairs: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
    json: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const pairs = Number(values.pairs);

interface Candidate extends Target {
  name: string;
  pid: number;
}

interface Sample extends LoadResult {
  cpuMicrosecondsPerReading: number;
  residentMiB: number;
}

async function sample(candidate: Candidate, connections: number, duration = seconds): Promise<Sample> {
  const before = await cpuMicroseconds(candidate.pid);
  const result = await runLoad(candidate, { connections, seconds: duration, racks: 1000 });
  const used = (await cpuMicroseconds(candidate.pid)) - before;
  return {
    ...result,
    cpuMicrosecondsPerReading: used / result.requests,
    residentMiB: await residentMiB(candidate.pid),
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const baselines: ChildProcess[] = [];

/** Starts a baseline and waits until it answers. */
async function baseline(name: string, target: Omit<Target, 'url'>, ...args: string[]): Promise<Candidate> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'baselines', `${name}.ts`), String(port), ...args],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  baselines.push(child);
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + 20_000;
  while (
    !(await fetch(url, { method: 'POST', body: '{}' }).then(
      () => true,
      () => false,
    ))
  ) {
    if (Date.now() > deadline) throw new Error(`baseline ${name} does not answer`);
  }
  return { name, url, pid: child.pid ?? 0, ...target };
}

const dataDir = await mkdtemp(join(tmpdir(), 'cellarman-bench-'));
const product = await startProduct({ dataDir, ports: 'free' });
try {
  const run = product.run();
  const ingest: Candidate = {
    name: 'cellarman',
    url: run.ingestUrl,
    pid: run.processes.ingest?.[0] ?? 0,
    ...run.demo,
  };
  const candidates = [
    await baseline('bare', run.demo),
    ingest,
    await baseline('minimal', run.demo, run.kafkaBrokers.join(','), 'cellarman.readings.v1'),
  ];
  const report: object[] = [];
  for (const connections of values.connections.split(',').map(Number)) {
    for (const candidate of candidates) await sample(candidate, connections);
    const ratios: Record<string, { speed: number[]; cpu: number[]; samples: Sample[] }> = {};
    for (let pair = 0; pair < pairs; pair++) {
      let bare: Sample | undefined;
      for (const candidate of candidates) {
        const result = await sample(candidate, connections);
        bare ??= result;
        const kept = (ratios[candidate.name] ??= { speed: [], cpu: [], samples: [] });
        kept.speed.push(result.perSecond / bare.perSecond);
        kept.cpu.push(result.cpuMicrosecondsPerReading / bare.cpuMicrosecondsPerReading);
        kept.samples.push(result);
      }
    }
    const rows = Object.entries(ratios).map(([name, { speed, cpu, samples }]) => ({
      connections,
      name,
      'readings/s': round(median(samples.map((s) => s.perSecond))),
      'x bare': round(median(speed)),
      'CPU us/reading': round(median(samples.map((s) => s.cpuMicrosecondsPerReading))),
      'CPU x bare': round(median(cpu)),
      'p50 ms': round(median(samples.map((s) => s.p50Ms))),
      'p99 ms': round(median(samples.map((s) => s.p99Ms))),
      MiB: round(median(samples.map((s) => s.residentMiB))),
      refused: samples.reduce((sum, s) => sum + s.refused, 0),
      broken: samples.reduce((sum, s) => sum + s.broken, 0),
    }));
    console.table(rows);
    report.push(...rows);
  }
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
} finally {
  for (const child of baselines) child.kill('SIGKILL');
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}
