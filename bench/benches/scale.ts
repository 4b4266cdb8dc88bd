import { clickhouseVariables, unusedPorts } from '@cellarman/local-stack';
import type { RunFile } from '@cellarman/local-stack';
import type { Bench, Row } from '../bench.ts';
import { cpuMicroseconds } from '../cpu-time.ts';
import { runOpenLoop } from '../load/open-loop.ts';
import { post, readingBody } from '../load/requests.ts';
import { median, round } from '../median.ts';
import { startSink } from '../sink/sink-process.ts';
import type { SinkProcess } from '../sink/sink-process.ts';
import { ingestOf, withProduct } from '../harness/product-harness.ts';

const MOST = 3;
const PER_SECOND = 1_500;
const CONNECTIONS = 32;
const SERVICES = ['ingest', 'kafka', 'sink', 'clickhouse'] as const;
type Costs = Record<(typeof SERVICES)[number], number>;

export const scale: Bench = {
  what: `1, 2 and ${MOST} replicas of ingest with as many sinks, each with ${PER_SECOND.toLocaleString('en')} readings a second: CPU of all per reading`,
  run: ({ seconds, pairs }) =>
    withProduct(
      async (run) => {
        await send(run, MOST, seconds);
        const samples: Costs[][] = [];
        for (let pair = 0; pair < pairs; pair++) {
          const more: SinkProcess[] = [];
          const costs: Costs[] = [];
          try {
            for (let count = 1; count <= MOST; count++) {
              if (count > 1) more.push(await startAnotherSink(run));
              await send(run, count, seconds);
              costs.push(await costOf(run, more, () => send(run, count, seconds)));
            }
          } finally {
            for (const sink of more) await sink.stop();
          }
          samples.push(costs);
        }
        const cost = (count: number, service: keyof Costs) =>
          median(samples.map((costs) => costs[count - 1]?.[service] ?? NaN));
        const rows = [1, 2, MOST].map((count): Row => {
          const costs = SERVICES.map((service) => [`${service} µs/reading`, round(cost(count, service))]);
          return {
            'replicas and sinks': count,
            'readings/s': count * PER_SECOND,
            ...(Object.fromEntries(costs) as Row),
          };
        });
        const ratio = median(
          samples.map(
            ([one, , three]) =>
              ((three?.ingest ?? NaN) + (three?.sink ?? NaN)) / ((one?.ingest ?? NaN) + (one?.sink ?? NaN)),
          ),
        );
        const note = `Single readings at a steady rate, ${CONNECTIONS} connections to each replica, 6 partitions, one broker and one ClickHouse. User and system time of the processes.`;
        return {
          tables: [{ note, rows }],
          figures: { 'CPU × of ingest and sink at 3 replicas': round(ratio) },
        };
      },
      { ingestReplicas: MOST },
    ),
};

/** In the group of the product's own sink. */
async function startAnotherSink(run: RunFile): Promise<SinkProcess> {
  const [port = 0] = await unusedPorts(1);
  const env = {
    KAFKA_BROKERS: run.kafkaBrokers.join(','),
    ...clickhouseVariables(run),
    CLICKHOUSE_DATABASE: run.clickhouseDatabase,
    ...{ TOPIC_REPLICATION_FACTOR: '1', TOPIC_MIN_INSYNC_REPLICAS: '1', ALLOW_WEAK_TOPIC: 'true' },
    // Nobody listens there: it keeps the retention that ClickHouse has.
    ...{
      KEY_SERVICE_URL: 'http://127.0.0.1:9',
      INTERNAL_TOKEN: 'a-token-for-the-bench',
      VERIFY_HOURS: 'false',
    },
  };
  return startSink(env, port);
}

async function send(run: RunFile, replicas: number, seconds: number): Promise<number> {
  const ingest = ingestOf(run);
  const reports = await Promise.all(
    run.ingestUrls.slice(0, replicas).map((url) =>
      runOpenLoop({
        ...{ url, connections: CONNECTIONS, perSecond: PER_SECOND, seconds },
        request: (number) =>
          post({ ...ingest, url }, readingBody(ingest.cellar, `rack-${number % 1_000}`, number)),
      }),
    ),
  );
  return reports.reduce((sum, { accepted }) => sum + accepted, 0);
}

/** Microseconds of CPU per accepted reading, by service. */
async function costOf(
  run: RunFile,
  more: readonly SinkProcess[],
  work: () => Promise<number>,
): Promise<Costs> {
  const pids = (service: keyof Costs) => [
    ...(run.processes[service] ?? []),
    ...(service === 'sink' ? more.map(({ pid }) => pid) : []),
  ];
  const used = async (service: keyof Costs) =>
    (await Promise.all(pids(service).map(cpuMicroseconds))).reduce((sum, time) => sum + time, 0);
  const all = () => Promise.all(SERVICES.map(used));
  const before = await all();
  const accepted = await work();
  const after = await all();
  return Object.fromEntries(
    SERVICES.map((service, at) => [service, ((after[at] ?? NaN) - (before[at] ?? NaN)) / accepted]),
  ) as Costs;
}
