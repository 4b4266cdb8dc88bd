import { context, diag, logs, propagation, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTelemetry } from '../src/index.ts';
import type { Telemetry } from '../src/index.ts';
import { startCollector } from './collector.ts';
import type { Collector } from './collector.ts';
import { keepLines } from './keep-lines.ts';
import { plainConfig } from './plain-config.ts';
import { stubEnvironment } from './stub-environment.ts';

const PATH = '/v1/logs';

describe('logs over OTLP', () => {
  let collector: Collector;
  let telemetry: Telemetry;
  let stdout: ReturnType<typeof keepLines>;

  beforeEach(async () => {
    collector = await startCollector();
    stdout = keepLines();
    const config = {
      ...plainConfig,
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_LOGS_EXPORTER: 'otlp' as const,
    };
    stubEnvironment(config);
    telemetry = await startTelemetry({
      ...{ service: 'ingest', version: '1.2.3', config, stdout: stdout.stdout },
    });
  });

  afterEach(async () => {
    await telemetry.stop();
    await collector.close();
    vi.unstubAllEnvs();
    for (const api of [trace, context, propagation, logs, diag]) api.disable();
  });

  /** Everything that has come, as one text to search in. */
  const received = () => Buffer.concat(collector.at(PATH));

  it('go to the collector and stay on stdout', async () => {
    telemetry.logger.warn({ partition: 3 }, 'no leader');
    telemetry.logger.debug('below the level');
    await telemetry.stop();
    for (const text of ['no leader', 'partition', 'warn', 'service.name', 'ingest'])
      expect(received().includes(text)).toBe(true);
    expect(received().includes('below the level')).toBe(false);
    expect(stdout.entries()).toMatchObject([{ level: 'warn', partition: 3, msg: 'no leader' }]);
  });

  it('hide what is hidden on stdout', async () => {
    telemetry.logger.info({ req: { headers: { 'x-api-key': 'SECRET' } }, password: 'SECRET' }, 'signed in');
    telemetry.logger.error({ err: Object.assign(new Error('rejected'), { token: 'SECRET' }) }, 'failed');
    await telemetry.stop();
    expect(received().includes('SECRET')).toBe(false);
    expect(received().includes('[hidden]')).toBe(true);
    expect(received().includes('exception.message')).toBe(true);
  });

  it('carry the ids of their trace', async () => {
    const { traceId, spanId } = telemetry.tracer.startActiveSpan('x', (span) => {
      telemetry.logger.info('inside');
      span.end();
      return span.spanContext();
    });
    await telemetry.stop();
    expect(received().includes(Buffer.from(traceId, 'hex'))).toBe(true);
    expect(received().includes(Buffer.from(spanId, 'hex'))).toBe(true);
  });

  it('are kept up to a bound while the collector is away, and all are on stdout', async () => {
    const lines = 5_000;
    for (let line = 0; line < lines; line++) telemetry.logger.info('LINE');
    expect(stdout.lines).toHaveLength(lines);
    await telemetry.stop();
    const kept = received().toString('latin1').split('LINE').length - 1;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(3_000);
  });

  it('report once a minute on stdout that the collector does not take them', async () => {
    collector.answer(400);
    for (let batch = 0; batch < 4; batch++) {
      const before = collector.at(PATH).length;
      for (let line = 0; line < 512; line++) telemetry.logger.info('LINE');
      await expect.poll(() => collector.at(PATH).length).toBeGreaterThan(before);
    }
    const told = stdout.entries().filter(({ msg }) => String(msg).includes('could not be exported'));
    expect(told).toHaveLength(1);
  });
});
