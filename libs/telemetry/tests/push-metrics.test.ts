import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTally, startTelemetry } from '../src/index.ts';
import { startCollector } from './collector.ts';
import { keepLines } from './keep-lines.ts';
import { plainConfig } from './plain-config.ts';
import { stubEnvironment } from './stub-environment.ts';

const PATH = '/v1/metrics';
const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  vi.unstubAllEnvs();
});

async function start(exporter: string, { level = 'silent', intervalMs = 100 } = {}) {
  const collector = await startCollector();
  cleanUps.push(collector.close);
  const { stdout, entries } = keepLines();
  const config = {
    ...plainConfig,
    LOG_LEVEL: level,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_TRACES_EXPORTER: 'none',
    OTEL_METRICS_EXPORTER: exporter as 'otlp',
    OTEL_METRIC_EXPORT_INTERVAL: intervalMs,
  };
  stubEnvironment(config);
  const telemetry = await startTelemetry({ service: 'ingest', version: '1.2.3', stdout, config });
  cleanUps.push(telemetry.stop);
  return { collector, telemetry, entries };
}

describe('metrics over OTLP', () => {
  it('go to the collector again and again', async () => {
    const { collector, telemetry } = await start('otlp');
    createTally(telemetry.meter, 'cellarman_readings', 'Readings by outcome.').cell({ outcome: 'accepted' });
    await expect.poll(() => collector.at(PATH).length).toBeGreaterThan(1);
    expect(collector.requests[0]?.type).toBe('application/x-protobuf');
    const last = collector.at(PATH).at(-1);
    for (const text of [
      'service.name',
      'ingest',
      '1.2.3',
      'cellarman_readings',
      'accepted',
      'process_cpu_seconds',
    ])
      expect(last?.includes(text)).toBe(true);
  });

  it('go a last time at the stop', async () => {
    const { collector, telemetry } = await start('otlp', { intervalMs: 60_000 });
    telemetry.meter.createCounter('cellarman_last').add(1);
    await telemetry.stop();
    expect(collector.at(PATH)).toHaveLength(1);
    expect(collector.at(PATH)[0]?.includes('cellarman_last')).toBe(true);
  });

  it('leave nothing for Prometheus, unless it is named too', async () => {
    const alone = await start('otlp');
    expect(await alone.telemetry.metricsText()).toBe('# OTEL_METRICS_EXPORTER is otlp\n');
    const both = await start('prometheus,otlp');
    expect(await both.telemetry.metricsText()).toContain('\nprocess_cpu_seconds_total ');
    await expect.poll(() => both.collector.at(PATH).length).toBeGreaterThan(0);
  });

  it('are not made at all when nobody wants them', async () => {
    const { telemetry, collector } = await start('none', { intervalMs: 100 });
    expect(await telemetry.metricsText()).toBe('# OTEL_METRICS_EXPORTER is none\n');
    await telemetry.stop();
    expect(collector.requests).toEqual([]);
  });

  it('report once a minute that the collector does not take them, and go on when it does', async () => {
    const { collector, telemetry, entries } = await start('otlp', { level: 'info' });
    collector.answer(400);
    await expect.poll(() => entries().length).toBe(1);
    const sent = collector.requests.length;
    await expect.poll(() => collector.requests.length).toBeGreaterThan(sent + 2);
    expect(entries()).toMatchObject([
      { level: 'warn', msg: expect.stringContaining('could not be exported') as string },
    ]);
    collector.answer(200);
    telemetry.meter.createCounter('cellarman_afterwards').add(1);
    await expect
      .poll(() => collector.at(PATH).some((body) => body.includes('cellarman_afterwards')))
      .toBe(true);
    expect(entries()).toHaveLength(1);
  });
});
