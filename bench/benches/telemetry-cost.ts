import type { Bench, Row } from '../bench.ts';
import { runLoad } from '../load/run-load.ts';
import { recordCpuProfile } from '../profile/cpu-profile.ts';
import { mergeStacks } from '../profile/merge-stacks.ts';
import type { Frame } from '../profile/merge-stacks.ts';
import { shareOf } from '../profile/share-of.ts';
import { startAnotherIngest } from '../stage/another-ingest.ts';
import { startCollector } from '../stage/collector.ts';
import type { Baseline } from '../stage/candidate.ts';
import { compareLoadInTurns } from '../stage/compare-load.ts';
import { round } from '../median.ts';
import { withProductWithoutSink } from '../stage/product-stage.ts';

const LOAD = { connections: 64, racks: 1_000 };
const OFF = { OTEL_SDK_DISABLED: 'true' };
/** Metrics once in three seconds instead of each minute: of three processes, each is under load one second in three. */
const BY_OTLP = {
  OTEL_METRICS_EXPORTER: 'prometheus,otlp',
  OTEL_METRIC_EXPORT_INTERVAL: '3000',
  OTEL_LOGS_EXPORTER: 'otlp',
};
type Settings = Readonly<Record<string, Readonly<Record<string, string>>>>;

const GOAL = 'metrics, 1 trace in 100';
const PROFILED = ['off', GOAL] as const;
const OF_TELEMETRY = /^(@opentelemetry\/|libs\/telemetry\/|services\/ingest\/src\/(metrics|trace)\.ts)/;

export const telemetryCost: Bench = {
  what: 'what metrics, traces and logs cost ingest at 64 connections, against none',
  run: ({ seconds, pairs }) =>
    withProductWithoutSink(async (run) => {
      const collector = await startCollector();
      const traced = (ratio: string) => ({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_TRACES_SAMPLER_ARG: ratio,
      });
      const compareInTurns = (settings: Settings, rounds: number) =>
        compareLoadInTurns(
          Object.fromEntries(
            Object.entries(settings).map(([name, variables]) => [
              name,
              () => startAnotherIngest(run, name, variables),
            ]),
          ),
          { ...LOAD, seconds },
          rounds,
        );
      // What the twin differs by from the first is what this bench cannot tell.
      const goal = { off: OFF, 'off, once more': OFF, [GOAL]: traced('0.01') };
      const others = {
        off: OFF,
        'metrics, every trace': traced('1'),
        'metrics and logs by OTLP, 1 trace in 100': { ...traced('0.01'), ...BY_OTLP },
      };
      try {
        const { rows, ratios } = await compareInTurns(goal, pairs);
        const { rows: otherRows } = await compareInTurns(others, Math.ceil(pairs / 4));
        if (collector.received() === 0) throw new Error('no span has reached the collector');
        const profiled: Row[] = [];
        for (const name of PROFILED) {
          const ingest = await startAnotherIngest(run, name, goal[name]);
          profiled.push({ telemetry: name, ...(await profileUnderLoad(ingest, seconds)) });
          await ingest.stop();
        }
        return {
          tables: [
            {
              title: 'Telemetry',
              note: 'Single readings at 64 connections, 1,000 racks; the sink is paused. Spans, and what is sent by OTLP, go to a collector that forgets it; metrics once in 3 s. Each row has a process of its own for each pair; the load goes to another process each second, by chance. What is left of a difference between the first two rows cannot be told.',
              rows: rows.map(againstOff),
            },
            {
              title: 'More telemetry',
              note: `The same, in ${Math.ceil(pairs / 4)} pairs, with what can be asked for besides.`,
              rows: otherRows.map(againstOff),
            },
            {
              title: 'Functions of telemetry',
              note: 'The part of the CPU time of ingest, sampled each 0.25 ms under the same load, that is spent in the functions of OpenTelemetry, of libs/telemetry and of what ingest counts and traces with, and in what they call. Collecting garbage is beside it.',
              rows: profiled,
            },
          ],
          figures: {
            'CPU × with telemetry': ratios[GOAL]?.cpu ?? Number.NaN,
            '% of CPU in telemetry': Number(profiled.at(-1)?.['% in telemetry'] ?? Number.NaN),
          },
        };
      } finally {
        await collector.stop();
      }
    }),
};

/** After a warm-up of the same length. */
async function profileUnderLoad(ingest: Baseline, seconds: number): Promise<Row> {
  const load = { ...LOAD, seconds };
  await runLoad(ingest, load);
  const [profile] = await Promise.all([recordCpuProfile(ingest.pid, seconds), runLoad(ingest, load)]);
  const root = mergeStacks(profile);
  const percent = (belongs: (frame: Frame) => boolean) => round(shareOf(root, belongs) * 100);
  return {
    '% in telemetry': percent(({ place }) => OF_TELEMETRY.test(place)),
    '% collecting garbage': percent(({ name }) => name === '(garbage collector)'),
  };
}

/** The first candidate is not bare here. */
function againstOff(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [
      name === 'server' ? 'telemetry' : name.replace('bare', 'off'),
      cell,
    ]),
  );
}
