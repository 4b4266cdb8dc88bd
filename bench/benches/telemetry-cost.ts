import type { Bench, Row } from '../bench.ts';
import { startAnotherIngest } from '../stage/another-ingest.ts';
import { startCollector } from '../stage/collector.ts';
import { compareLoadAnew } from '../stage/compare-load.ts';
import { withProductWithoutSink } from '../stage/product-stage.ts';

const OFF = { OTEL_SDK_DISABLED: 'true' };
/** Metrics each second instead of each minute, so that what they cost shows in seconds. */
const BY_OTLP = {
  OTEL_METRICS_EXPORTER: 'prometheus,otlp',
  OTEL_METRIC_EXPORT_INTERVAL: '1000',
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
        metrics: {},
        [GOAL]: traced('0.01'),
        'metrics, every trace': traced('1'),
        'metrics and logs by OTLP, 1 trace in 100': { ...traced('0.01'), ...BY_OTLP },
      };
      try {
        const { rows, ratios } = await compareLoadAnew(
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
              note: 'Single readings at 64 connections, 1,000 racks; the sink is paused. Spans, and what is sent by OTLP, go to a collector that forgets it; metrics once a second. Each row has a process of its own for each pair.',
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
