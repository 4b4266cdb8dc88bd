import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until, unusedPorts } from '@cellarman/local-stack';
import { cpuMicroseconds, residentMiB } from '../cpu-time.ts';
import type { Sender } from '../load/requests.ts';
import { runLoad } from '../load/run-load.ts';
import type { Load, LoadResult } from '../load/run-load.ts';

/** A server that is measured. */
export interface Candidate extends Sender {
  name: string;
  pid: number;
  /** Of the broker, whose CPU time counts for nobody else. */
  kafkaPid?: number;
}

export interface Baseline extends Candidate {
  stop(): Promise<void>;
}

/** Starts a server of bench/baselines and waits until it is ready. */
export async function startBaseline(
  name: string,
  target: Omit<Sender, 'url'>,
  ...args: string[]
): Promise<Baseline> {
  const [port = 0] = await unusedPorts(1);
  const script = join(import.meta.dirname, '../baselines', `${name}.ts`);
  const child = spawn(process.execPath, [script, String(port), ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const answers = () => fetch(url, { method: 'POST', body: '[]' });
  await until(`baseline ${name} responds`, answers, { deadlineMs: 20_000, retriesErrors: true });
  return {
    ...{ name, url, pid: child.pid ?? 0, ...target },
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

export interface Sample extends LoadResult {
  cpuPerReading: number;
  /** Of the broker. */
  kafkaCpuPerReading: number;
  residentMiB: number;
}

/** One run of load, with the CPU time that the server and the broker took for it. */
export async function sampleLoad(candidate: Candidate, load: Load): Promise<Sample> {
  const before = await cpuMicroseconds(candidate.pid);
  const ofKafka = async () =>
    candidate.kafkaPid === undefined ? Number.NaN : cpuMicroseconds(candidate.kafkaPid);
  const kafkaBefore = await ofKafka();
  const result = await runLoad(candidate, load);
  const used = (await cpuMicroseconds(candidate.pid)) - before;
  const kafkaUsed = (await ofKafka()) - kafkaBefore;
  const readings = result.requests * (load.readingsInARequest ?? 1);
  return {
    ...result,
    cpuPerReading: used / readings,
    kafkaCpuPerReading: kafkaUsed / readings,
    residentMiB: await residentMiB(candidate.pid),
  };
}
