import { join } from 'node:path';
import { startEngines } from '@cellarman/local-stack';
import type { Bench, Row } from '../bench.ts';
import { measureTables } from '../bytes/tables.ts';
import type { TablesSample } from '../bytes/tables.ts';
import { withTemporaryDirectory } from '../harness/temporary-directory.ts';
import { median, round } from '../median.ts';

/** 5 and 7 each add a column to readings_by_time, 8 changes the codecs. */
const MIGRATIONS = [4, 5, 7, 8];
const TABLES = ['readings_stored', 'readings_by_time', 'series_latest'];

export const bytes: Bench = {
  what: 'bytes of a reading in ClickHouse and CPU of its insert, by migration',
  run: ({ pairs }) =>
    withTemporaryDirectory(async (directory) => {
      const engines = await startEngines({ dataDir: join(directory, 'engines') });
      try {
        const samples = new Map(MIGRATIONS.map((upTo) => [upTo, [] as TablesSample[]]));
        for (let pair = 1; pair <= pairs; pair++) {
          for (const [upTo, list] of samples) list.push(await measureTables(engines, upTo));
        }
        const rows = Array.from(samples, ([upTo, list]) => rowOf(upTo, list));
        return {
          tables: [
            {
              note: '1,000,000 readings of the same fleet, 50 minutes, inserted 50,000 at a time, after `OPTIMIZE FINAL`. CPU is that of ClickHouse during the inserts.',
              rows,
            },
          ],
          figures: { 'bytes/reading in ClickHouse': Number(rows.at(-1)?.['all bytes/reading']) },
        };
      } finally {
        await engines.stop();
      }
    }),
};

function rowOf(upTo: number, samples: readonly TablesSample[]): Row {
  const bytesOf = (table: string) => samples[0]?.tables.get(table) ?? 0;
  return {
    'migrations up to': upTo,
    ...Object.fromEntries(TABLES.map((table) => [table, round(bytesOf(table))])),
    'all bytes/reading': round(TABLES.reduce((sum, table) => sum + bytesOf(table), 0)),
    'insert CPU µs/reading': round(median(samples.map(({ insertMicroseconds }) => insertMicroseconds))),
  };
}
