import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@clickhouse/client';
import { silentLogger } from '@cellarman/kafka';
import { clickhouseLogin, startEngines, until, unusedPorts } from '@cellarman/local-stack';
import type { StartedEngines } from '@cellarman/local-stack';
import { clickhouseFromEnvironment } from '../baselines/config.ts';
import type { Bench, BenchOptions, BenchResult } from '../bench.ts';
import { cpuMicroseconds, peakResidentMiB } from '../cpu-time.ts';
import { median, round } from '../median.ts';
import { writeBacklog } from '../sink/backlog.ts';
import { sinkEnvironment } from '../sink/sink-environment.ts';
import { migrate, startSink } from '../sink/sink-process.ts';
import { withTemporaryDirectory } from '../harness/temporary-directory.ts';

const READINGS = 1_000_000;
const TABLE = 'readings_stored';

interface Sample {
  perSecond: number;
  cpuPerRow: number;
  clickhouseCpuPerRow: number;
  kafkaCpuPerRow: number;
  peakMiB: number;
}

export const sink: Bench = {
  what: `the sink empties a backlog of ${READINGS.toLocaleString('en')} readings, against inserting the same lines directly`,
  run: (options) =>
    withTemporaryDirectory(async (directory) => {
      const engines = await startEngines({ dataDir: join(directory, 'engines') });
      try {
        return await compare(engines, join(directory, 'lines'), options);
      } finally {
        await engines.stop();
      }
    }),
};

async function compare(engines: StartedEngines, file: string, { pairs }: BenchOptions): Promise<BenchResult> {
  const topic = 'bench.readings';
  const environment = (round: string) => sinkEnvironment(engines.urls, { topic, round });
  await migrate(environment('0'));
  const connection = { brokers: engines.urls.kafkaBrokers, clientId: 'bench', logger: silentLogger };
  await writeBacklog({ connection, topic, file, readings: READINGS });

  const samples: { direct: Sample[]; sink: Sample[] } = { direct: [], sink: [] };
  for (let pair = 1; pair <= pairs; pair++) {
    samples.direct.push(
      await measure(engines, environment(`direct${pair}`), (env) => insertDirectly(env, file)),
    );
    samples.sink.push(await measure(engines, environment(`sink${pair}`), drain));
  }

  const ratios = samples.sink.map(
    ({ perSecond }, i) => perSecond / (samples.direct[i]?.perSecond ?? Number.NaN),
  );
  const row = (name: 'direct' | 'sink', timesDirect: number) => {
    const of = (figure: keyof Sample) => round(median(samples[name].map((sample) => sample[figure])));
    return {
      name,
      'rows/s': of('perSecond'),
      '× direct': round(timesDirect),
      'CPU µs/row': of('cpuPerRow'),
      'ClickHouse µs/row': of('clickhouseCpuPerRow'),
      'Kafka µs/row': of('kafkaCpuPerRow'),
      'peak MiB': of('peakMiB'),
    };
  };
  const ofSink = row('sink', median(ratios));
  const rows = [row('direct', 1), ofSink];
  return {
    tables: [
      {
        note: `A backlog of ${READINGS.toLocaleString('en')} readings in record batches of 100, 6 partitions, one broker; from the assignment of the partitions until all rows are in the table. "direct" inserts the same lines, 50,000 at a time.`,
        rows,
      },
    ],
    figures: {
      'sink × direct': ofSink['× direct'],
      'sink MiB': ofSink['peak MiB'],
      'sink rows/s': ofSink['rows/s'],
      'sink CPU µs/reading': ofSink['CPU µs/row'],
      'ClickHouse CPU µs/reading': ofSink['ClickHouse µs/row'],
    },
  };
}

type Work = (env: NodeJS.ProcessEnv) => Promise<{ ms: number; cpuMicroseconds: number; peakMiB: number }>;

/** In a database of its own, so that no round finds the parts of another. */
async function measure(engines: StartedEngines, env: NodeJS.ProcessEnv, work: Work): Promise<Sample> {
  const cpuOf = (engine: string) => cpuMicroseconds(engines.processes()[engine]?.[0] ?? 0);
  await migrate(env);
  const before = { clickhouse: await cpuOf('clickhouse'), kafka: await cpuOf('kafka') };
  const { ms, cpuMicroseconds: used, peakMiB } = await work(env);
  const sample = {
    perSecond: (READINGS / ms) * 1_000,
    cpuPerRow: used / READINGS,
    clickhouseCpuPerRow: ((await cpuOf('clickhouse')) - before.clickhouse) / READINGS,
    kafkaCpuPerRow: ((await cpuOf('kafka')) - before.kafka) / READINGS,
    peakMiB,
  };
  const clickhouse = createClient(clickhouseLogin(engines.urls));
  await clickhouse.command({ query: `DROP DATABASE ${env['CLICKHOUSE_DATABASE'] ?? ''}` });
  await clickhouse.close();
  return sample;
}

async function insertDirectly(env: NodeJS.ProcessEnv, file: string): ReturnType<Work> {
  const script = join(import.meta.dirname, '../baselines', 'direct.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, TABLE, file], {
    env,
  });
  return { ...(JSON.parse(stdout) as { ms: number; cpuMicroseconds: number }), peakMiB: Number.NaN };
}

async function drain(env: NodeJS.ProcessEnv): ReturnType<Work> {
  const clickhouse = createClient(clickhouseFromEnvironment(env));
  const count = async (from: string): Promise<number> => {
    const answer = await clickhouse.query({
      query: `SELECT count() AS n FROM ${from}`,
      format: 'JSONEachRow',
    });
    return Number((await answer.json<{ n: string }>())[0]?.n);
  };
  const [port = 0] = await unusedPorts(1);
  const sinkProcess = await startSink(env, port);
  try {
    const begun = performance.now();
    const cpuBefore = await cpuMicroseconds(sinkProcess.pid);
    // Rarely, because it is work for the engine that is measured.
    const isStored = async () => (await count(TABLE)) >= READINGS;
    await until('all readings are in the table', isStored, { deadlineMs: 300_000 });
    const ms = performance.now() - begun;
    const used = (await cpuMicroseconds(sinkProcess.pid)) - cpuBefore;
    const peakMiB = await peakResidentMiB(sinkProcess.pid);
    return { ms, cpuMicroseconds: used, peakMiB };
  } finally {
    await sinkProcess.stop();
    await clickhouse.close();
  }
}
