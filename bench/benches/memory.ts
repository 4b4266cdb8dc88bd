import { generateApiKey } from '@cellarman/api-key';
import type { Bench } from '../bench.ts';
import { round } from '../median.ts';
import { peakResidentMiB, residentMiB } from '../cpu-time.ts';
import { runOpenLoop } from '../load/open-loop.ts';
import { runLoad } from '../load/run-load.ts';
import { ingestOf, withProductWithoutSink } from '../stage/product-stage.ts';
import { readingBody } from '../stage/reading-body.ts';

/** Keys that nobody made. Each must be looked up, because its checksum is right. */
const UNKNOWN_KEYS_PER_SECOND = 1_000;

export const memory: Bench = {
  what: 'memory of ingest at 512 connections, and of key-service under look-ups (that of the sink is in "sink")',
  run: ({ seconds }) =>
    withProductWithoutSink(async (run) => {
      const ingest = ingestOf(run);
      const keyService = run.processes['key-service']?.[0] ?? 0;
      const atStart = { ingest: await residentMiB(ingest.pid), keyService: await residentMiB(keyService) };
      for (let round = 0; round < 3; round++) {
        await runLoad(ingest, { connections: 512, seconds, racks: 1_000 });
      }
      const ingestPeak = await peakResidentMiB(ingest.pid);
      const afterLoad = await residentMiB(ingest.pid);

      for (let second = 0; second < seconds; second++) {
        await runOpenLoop({
          ...{ url: ingest.url, path: '/api/v1/ingest', connections: 32, perSecond: UNKNOWN_KEYS_PER_SECOND },
          ...{ seconds: 1, headers: { 'content-type': 'application/json' } },
          headersOf: () => ({ 'x-api-key': generateApiKey() }),
          body: (number) => readingBody(ingest.cellar, 'rack-1', number),
        });
      }
      const keyServicePeak = await peakResidentMiB(keyService);
      const row = (process: string, figures: [number, number, number]) => {
        const [start, after, peak] = figures;
        return {
          process,
          'at the start MiB': round(start),
          'after MiB': round(after),
          'peak MiB': round(peak),
        };
      };
      return {
        tables: [
          {
            title: 'Memory',
            note: `Resident. ingest: single readings at 512 connections for ${seconds * 3} s; key-service: ${UNKNOWN_KEYS_PER_SECOND} look-ups a second of unknown keys for ${seconds} s.`,
            rows: [
              row('ingest', [atStart.ingest, afterLoad, ingestPeak]),
              row('key-service', [atStart.keyService, await residentMiB(keyService), keyServicePeak]),
            ],
          },
        ],
        figures: { 'ingest MiB': round(ingestPeak), 'key-service MiB': round(keyServicePeak) },
      };
    }),
};
