import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTally, startTelemetry } from '../src/index.ts';
import type { Telemetry } from '../src/index.ts';
import { plainConfig } from './plain-config.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SECONDS = [0.5, 1, 2];

let telemetry: Telemetry;
beforeEach(async () => {
  telemetry = await startTelemetry({ service: 'ingest', version: '1.2.3', config: plainConfig });
});
afterEach(() => telemetry.stop());

const histogram = (name = 'cellarman_ack_seconds') =>
  telemetry.meter.createHistogram(name, {
    description: 'Until "acknowledged"',
    advice: { explicitBucketBoundaries: SECONDS },
  });
const traced = (spanId: string, traceFlags = 1) =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId: TRACE, spanId: spanId.repeat(16), traceFlags });
const lines = async () => (await telemetry.metricsText('openmetrics')).split('\n');
const linesOf = async (metric: string) =>
  (await lines()).filter((line) => line.replace(/^# (TYPE|HELP) /, '').startsWith(metric));

describe('OpenMetrics', () => {
  it('names the target first and ends with its end', async () => {
    const all = await lines();
    expect(all.slice(0, 2)).toEqual(['# TYPE target info', '# HELP target Target metadata']);
    expect(all[2]).toMatch(/^target_info\{.*service_name="ingest",service_version="1\.2\.3"/);
    expect(all.slice(-2)).toEqual(['# EOF', '']);
    expect(all.slice(0, -1)).not.toContain('');
  });

  it('has counters, gauges and histograms', async () => {
    createTally(telemetry.meter, 'cellarman_readings', 'Readings.').cell({ outcome: 'a "b"\\' }).value += 2;
    telemetry.meter
      .createObservableGauge('cellarman_age_seconds', { description: 'Age.' })
      .addCallback((result) => result.observe(Infinity));
    histogram().record(0.7, { route: '/x' });
    expect(await linesOf('cellarman_')).toEqual([
      '# TYPE cellarman_readings counter',
      '# HELP cellarman_readings Readings.',
      'cellarman_readings_total{outcome="a \\"b\\"\\\\"} 2',
      '# TYPE cellarman_age_seconds gauge',
      '# HELP cellarman_age_seconds Age.',
      'cellarman_age_seconds +Inf',
      '# TYPE cellarman_ack_seconds histogram',
      '# HELP cellarman_ack_seconds Until \\"acknowledged\\"',
      'cellarman_ack_seconds_bucket{route="/x",le="0.5"} 0',
      'cellarman_ack_seconds_bucket{route="/x",le="1.0"} 1',
      'cellarman_ack_seconds_bucket{route="/x",le="2.0"} 1',
      'cellarman_ack_seconds_bucket{route="/x",le="+Inf"} 1',
      'cellarman_ack_seconds_count{route="/x"} 1',
      'cellarman_ack_seconds_sum{route="/x"} 0.7',
    ]);
  });

  it('has the same series as the older text', async () => {
    histogram().record(0.7);
    const names = (text: string) =>
      new Set(text.split('\n').flatMap((line) => /^(?!#)[a-z_]+/.exec(line)?.[0] ?? []));
    expect(names(await telemetry.metricsText('openmetrics'))).toEqual(names(await telemetry.metricsText()));
  });
});

describe('exemplars', () => {
  const exemplarsOf = async (metric: string) =>
    (await linesOf(`${metric}_bucket`)).map((line) => line.split(' # ')[1]);

  it('name the newest recorded trace of each bucket', async () => {
    const before = Date.now();
    const seconds = histogram();
    seconds.record(0.7, {}, traced('a'));
    seconds.record(1, {}, traced('b'));
    seconds.record(0.8);
    seconds.record(9, {}, traced('c'));
    const [first, second, third, last] = await exemplarsOf('cellarman_ack_seconds');
    expect([first, third]).toEqual([undefined, undefined]);
    const [, span, value, at] = /span_id="(\w+)"\} (\S+) (\S+)$/.exec(second ?? '') ?? [];
    expect(second).toContain(`{trace_id="${TRACE}",`);
    expect([span, value]).toEqual(['b'.repeat(16), '1']);
    expect(Number(at) * 1_000).toBeGreaterThanOrEqual(before - 1);
    expect(last).toContain('c'.repeat(16));
  });

  it('are those of the series that was measured', async () => {
    const seconds = histogram();
    seconds.record(0.1, { status: 200, route: '/x' }, traced('a'));
    seconds.record(0.1, { route: '/y', status: 200 });
    const marked = (await linesOf('cellarman_ack_seconds_bucket')).filter((line) => line.includes(' # '));
    expect(marked).toHaveLength(1);
    expect(marked[0]).toContain('route="/x",le="0.5"');
  });

  it('are not made of a trace that is not recorded', async () => {
    histogram().record(0.7, {}, traced('a', 0));
    histogram().record(0.7, {}, ROOT_CONTEXT);
    expect((await exemplarsOf('cellarman_ack_seconds')).filter((found) => found !== undefined)).toEqual([]);
  });

  it('are bounded: beyond some series there are none', async () => {
    const seconds = histogram();
    for (let route = 0; route < 600; route++) seconds.record(0.1, { route }, traced('a'));
    const marked = (await exemplarsOf('cellarman_ack_seconds')).filter((found) => found !== undefined);
    expect(marked).toHaveLength(500);
  });

  it('are not in the older text', async () => {
    histogram().record(0.7, {}, traced('a'));
    expect(await telemetry.metricsText()).not.toContain(TRACE);
  });
});
