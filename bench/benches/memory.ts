import type { Bench } from '../bench.ts';
import { peakResidentMiB, residentMiB } from '../cpu-time.ts';
import { generate } from '../load/generate.ts';
import { runLoad } from '../load/run-load.ts';
import { round } from '../median.ts';
import { ingestOf, withProductWithoutSink } from '../harness/product-harness.ts';

const UNKNOWN_KEYS_PER_SECOND = 1_000;

export const memory: Bench = {
  what: 'memory of ingest at 512 connections, and of key-service under lookups (that of the sink is in "sink")',
  run: ({ seconds }) =>
    withProductWithoutSink(async (run) => {
      const ingest = ingestOf(run);
      const keyService = run.processes['key-service']?.[0] ?? 0;
      const measure = async (process: string, pid: number, load: () => Promise<unknown>) => {
        const atStart = await residentMiB(pid);
        await load();
        const after = await residentMiB(pid);
        const peak = round(await peakResidentMiB(pid));
        return { process, 'at the start MiB': round(atStart), 'after MiB': round(after), 'peak MiB': peak };
      };
      const rows = [
        await measure('ingest', ingest.pid, () =>
          runLoad(ingest, { connections: 512, seconds: seconds * 3, racks: 1_000 }),
        ),
        await measure('key-service', keyService, () =>
          generate({
            ...{ ...ingest, kind: 'unknown keys', connections: 32 },
            ...{ perSecond: UNKNOWN_KEYS_PER_SECOND, seconds },
          }),
        ),
      ];
      const note = `Resident. ingest: single readings at 512 connections for ${seconds * 3} s; key-service: ${UNKNOWN_KEYS_PER_SECOND} lookups of unknown keys a second for ${seconds} s.`;
      return {
        tables: [{ note, rows }],
        figures: {
          'ingest MiB': rows[0]?.['peak MiB'] ?? NaN,
          'key-service MiB': rows[1]?.['peak MiB'] ?? NaN,
        },
      };
    }),
};
