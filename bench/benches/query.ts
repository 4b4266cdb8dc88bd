import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { clickhouseLogin } from '@cellarman/local-stack';
import type { RunFile } from '@cellarman/local-stack';
import type { Bench, Row } from '../bench.ts';
import { cpuMicroseconds, peakResidentMiB } from '../cpu-time.ts';
import { round } from '../median.ts';
import { timeRequests } from '../query/time-requests.ts';
import { awaitCounts } from '../query/await-counts.ts';
import { fill } from '../query/fill.ts';
import { queries } from '../query/queries.ts';
import { withProduct } from '../harness/product-harness.ts';

const MOST_ROWS = 100_000_000;
/** For each second of the option --seconds, the number of rows that can be stored in this time. */
const FILL_SECONDS_EACH = 30;
const TIMES = 200;
/** A busy machine is to give a bad figure, not none. */
const PATIENT = { env: { query: { QUERY_TIMEOUT_SECONDS: '60' } } };

export const query: Bench = {
  what: 'responses of query: the latest values of 10,000 series, charts, counts and racks, with up to 100,000,000 rows',
  run: ({ seconds }) =>
    withProduct(async (run) => {
      const clickhouse = createClient({
        ...clickhouseLogin(run),
        database: run.clickhouseDatabase,
        request_timeout: 600_000,
        log: { level: ClickHouseLogLevel.OFF },
      });
      try {
        return await measure(run, clickhouse, seconds);
      } finally {
        await clickhouse.close();
      }
    }, PATIENT),
};

async function measure(run: RunFile, clickhouse: ClickHouseClient, seconds: number) {
  const { cellar, apiKey } = run.demo;
  const filled = await fill({
    ...{ clickhouse, table: 'readings_stored', cellar },
    ...{ mostRows: MOST_ROWS, mostSeconds: seconds * FILL_SECONDS_EACH },
  });
  const countingSeconds = await awaitCounts(clickhouse);
  const rows: Row[] = [];
  for (const { name, path } of queries()) {
    const url = `${run.queryUrl}/api/v1/query/cellars/${cellar}${path}`;
    const cpuBefore = await cpuOf(run);
    const { p50, p99, count } = await timeRequests(url, { 'x-api-key': apiKey }, { times: TIMES, seconds });
    const cpuEach = ((await cpuOf(run)) - cpuBefore) / count;
    rows.push({
      query: name,
      'p50 ms': round(p50),
      'p99 ms': round(p99),
      'CPU ms': round(cpuEach),
      times: count,
    });
  }
  const processes = await Promise.all(
    ['query', 'clickhouse'].map(async (name) => ({
      process: name,
      'peak MiB': round(await peakResidentMiB(run.processes[name]?.[0] ?? 0)),
    })),
  );
  const note =
    `${filled.rows.toLocaleString('en')} rows, stored in ${Math.round(filled.seconds)} s; the sink counted their hours in ${Math.round(countingSeconds)} s. Each query ${TIMES} times, one after the ` +
    `other over HTTP with an API key, or for ${seconds} s. "CPU" is that of query and ClickHouse for one response.`;
  return {
    tables: [
      { note, rows },
      { note: 'Resident, at most, with the storing before.', rows: processes },
      { note: 'After all that.', rows: await diskOf(clickhouse) },
    ],
    figures: {},
  };
}

/** Milliseconds that query and ClickHouse have used so far. */
async function cpuOf({ processes }: RunFile): Promise<number> {
  const used = ['query', 'clickhouse'].map((name) => cpuMicroseconds(processes[name]?.[0] ?? 0));
  return (await Promise.all(used)).reduce((sum, microseconds) => sum + microseconds, 0) / 1_000;
}

async function diskOf(clickhouse: ClickHouseClient): Promise<Row[]> {
  const answer = await clickhouse.query({
    query: `SELECT table, sum(rows) AS rows, round(sum(bytes_on_disk) / 1048576) AS MiB,
      round(sum(bytes_on_disk) / sum(rows), 1) AS \`bytes/row\` FROM system.parts
      WHERE active AND database = currentDatabase() AND (table LIKE 'readings%' OR table LIKE 'series%')
      GROUP BY table ORDER BY table`,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  return answer.json<Row>();
}
