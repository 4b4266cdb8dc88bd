import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { createTally, startTelemetry } from '../src/index.ts';
import type { Telemetry } from '../src/index.ts';
import { plainConfig as config } from './plain-config.ts';

let telemetry: Telemetry;
beforeEach(async () => {
  telemetry = await startTelemetry({ service: 'ingest', version: '1.2.3', config });
});
afterEach(() => telemetry.stop());

describe('metrics as Prometheus text', () => {
  it('name the service and report its process', async () => {
    const text = await telemetry.metricsText();
    expect(text).toMatch(
      /^target_info\{.*service_name="ingest",service_version="1\.2\.3",service_instance_id="[^"]+"/m,
    );
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_heap_used_bytes',
    ]) {
      expect(text).toMatch(new RegExp(`^${name} (?!0$)[0-9]`, 'm'));
    }
    expect(text).toMatch(/^nodejs_eventloop_delay_max_seconds \d/m);
    expect(text).toMatch(/^nodejs_eventloop_utilization_ratio [01]/m);
  });

  it('show a late event loop to every scraper', async () => {
    const longest = async () =>
      Number(/^nodejs_eventloop_delay_max_seconds (\S+)$/m.exec(await telemetry.metricsText())?.[1]);
    // What comes before its first look, the monitor does not see.
    await expect.poll(longest).toBeGreaterThan(0);
    const until = performance.now() + 300;
    while (performance.now() < until);
    await expect.poll(longest).toBeGreaterThan(0.2);
    expect(await longest()).toBeGreaterThan(0.2);
  });

  it('hold counters, gauges and histograms of the meter', async () => {
    telemetry.meter.createCounter('cellarman_lookups', { description: 'Lookups' }).add(2, { hit: 'true' });
    telemetry.meter
      .createHistogram('cellarman_ack_seconds', { advice: { explicitBucketBoundaries: [0.01, 1] } })
      .record(0.5);
    const text = await telemetry.metricsText();
    expect(text).toContain(
      '# HELP cellarman_lookups_total Lookups\n# TYPE cellarman_lookups_total counter\n',
    );
    expect(text).toContain('cellarman_lookups_total{hit="true"} 2\n');
    expect(text).toContain('cellarman_ack_seconds_bucket{le="1"} 1\n');
  });

  it('are apart for two services in one process', async () => {
    const other = await startTelemetry({ service: 'sink', version: '1.2.3', config });
    telemetry.meter.createCounter('only_in_ingest').add(1);
    expect(await other.metricsText()).not.toContain('only_in_ingest');
    expect(await other.metricsText()).toContain('service_name="sink"');
    await other.stop();
  });

  it('fail as a whole when one cannot be read', async () => {
    telemetry.meter.createObservableGauge('broken').addCallback(() => {
      throw new Error('no number');
    });
    await expect(telemetry.metricsText()).rejects.toThrow('metrics could not be collected');
  });
});

test('nothing is counted or observed when the SDK is disabled', async () => {
  const disabled = await startTelemetry({
    service: 'ingest',
    version: '1.2.3',
    config: { ...config, OTEL_SDK_DISABLED: true },
  });
  createTally(disabled.meter, 'cellarman_readings', 'Readings by outcome.').cell().value += 1;
  disabled.meter.createHistogram('cellarman_ack_seconds').record(1);
  expect(await disabled.metricsText()).toBe('# OTEL_SDK_DISABLED is set\n');
  await disabled.stop();
});

describe('a tally', () => {
  it('shows what was added to its cells', async () => {
    const readings = createTally(telemetry.meter, 'cellarman_readings', 'Readings by outcome.');
    const accepted = readings.cell({ outcome: 'accepted' });
    accepted.value += 1;
    accepted.value += 99;
    readings.cell({ outcome: 'rejected', code: 'invalid_json' }).value += 1;

    const text = await telemetry.metricsText();
    expect(text).toContain('cellarman_readings_total{outcome="accepted"} 100\n');
    expect(text).toContain('cellarman_readings_total{outcome="rejected",code="invalid_json"} 1\n');
  });

  it('gives the same cell for the same labels', () => {
    const readings = createTally(telemetry.meter, 'cellarman_readings', 'Readings by outcome.');
    expect(readings.cell({ a: '1', b: '2' })).toBe(readings.cell({ b: '2', a: '1' }));
    expect(readings.cell({ a: '1' })).not.toBe(readings.cell({ a: '2' }));
    expect(readings.cell()).toBe(readings.cell({}));
  });

  it('shows a cell from the start, so that a rate has a zero to begin with', async () => {
    createTally(telemetry.meter, 'cellarman_dead_letters', 'Dead letters.').cell();
    expect(await telemetry.metricsText()).toContain('cellarman_dead_letters_total 0\n');
  });
});
