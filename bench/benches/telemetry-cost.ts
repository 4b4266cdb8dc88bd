import type { Bench, Row } from '../bench.ts';
import { startAnotherIngest } from '../stage/another-ingest.ts';
import { startCollector } from '../stage/collector.ts';
import { compareLoadInTurns } from '../stage/compare-load.ts';
import { withProductWithoutSink } from '../stage/product-stage.ts';

const OFF = { OTEL_SDK_DISABLED: 'true' };
/** Metrics once in six seconds instead of each minute: of six processes, each is under load one second in six. */
const BY_OTLP = {
  OTEL_METRICS_EXPORTER: 'prometheus,otlp',
  OTEL_METRIC_EXPORT_INTERVAL: '6000',
  OTEL_LOGS_EXPORTER: 'otlp',
};
const GOAL = 'metrics, 1 trace in 100';

export const telemetryCost: Bench = {
  what: 'what metrics, traces and logs cost ingest at 64 connections, against none',
  run: ({ seconds, pairs }) =>
    withProductWithoutSink(async (run) => {
      const collector = await startCollector();
      const traced = (ratio: string) => ({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_TRACES_SAMPLER_ARG: ratio,
      });
      const settings = {
        off: OFF,
        // What it differs by from the first is what this bench cannot tell.
        'off, once more': OFF,
        metrics: {},
        [GOAL]: traced('0.01'),
        'metrics, every trace': traced('1'),
        'metrics and logs by OTLP, 1 trace in 100': { ...traced('0.01'), ...BY_OTLP },
      };
      try {
        const { rows, ratios } = await compareLoadInTurns(
          Object.entries(settings).map(
            ([name, variables]) =>
              () =>
                startAnotherIngest(run, name, variables),
          ),
          { connections: 64, seconds, racks: 1_000 },
          pairs,
        );
        if (collector.received() === 0) throw new Error('no span has reached the collector');
        return {
          tables: [
            {
              title: 'Telemetry',
              note: 'Single readings at 64 connections, 1,000 racks; the sink is paused. Spans, and what is sent by OTLP, go to a collector that forgets it; metrics once in 6 s. Each row has a process of its own for each pair; the load goes to another process each second. What is left of a difference between the first two rows cannot be told.',
              rows: rows.map(againstOff),
            },
          ],
          figures: { 'CPU × with telemetry': ratios[GOAL]?.cpu ?? Number.NaN },
        };
      } finally {
        await collector.stop();
      }
    }),
};

/** The first candidate is not bare here. */
function againstOff(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [
      name === 'server' ? 'telemetry' : name.replace('bare', 'off'),
      cell,
    ]),
  );
}
