import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { createReadiness, healthRoutes, probeRoutes } from '../src/index.ts';

async function probes(metricsText = async (format: string) => `# ${format}\ncellarman_readings_total 5\n`) {
  const readiness = createReadiness({ parts: ['kafka'] });
  const app = Fastify();
  await app.register(healthRoutes, { readiness, metricsText });
  return { app, readiness };
}

describe('health routes', () => {
  it('is alive also while it is not ready', async () => {
    const { app } = await probes();
    const answer = await app.inject('/livez');
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'alive' }]);
  });

  it('is not ready with the reason, then ready', async () => {
    const { app, readiness } = await probes();
    const before = await app.inject('/readyz');
    expect([before.statusCode, before.json()]).toEqual([
      503,
      { ready: false, parts: { kafka: { ready: false, reason: 'starting' } } },
    ]);

    readiness.set('kafka', true);
    const after = await app.inject('/readyz');
    expect([after.statusCode, after.json()]).toEqual([
      200,
      { ready: true, parts: { kafka: { ready: true } } },
    ]);
  });

  it('shows metrics as Prometheus text', async () => {
    const { app } = await probes();
    const answer = await app.inject('/metrics');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.body).toBe('# text\ncellarman_readings_total 5\n');
  });

  it('shows metrics as OpenMetrics to clients that accept it, as Prometheus does', async () => {
    const { app } = await probes();
    const accept =
      'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1';
    const answer = await app.inject({ url: '/metrics', headers: { accept } });
    expect(answer.headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(answer.body).toMatch(/^# openmetrics\n/);
  });

  it('returns an error for a failed collection, not half of the numbers', async () => {
    const { app } = await probes(async () => {
      throw new Error('a callback failed');
    });
    expect((await app.inject('/metrics')).statusCode).toBe(500);
  });
});

it('probes for load balancers name no part and give no reason', async () => {
  const readiness = createReadiness({ parts: ['kafka'] });
  const app = Fastify();
  await app.register(probeRoutes, { readiness });
  readiness.set('kafka', false, 'broker 10.1.2.3 refused the connection');
  const before = await app.inject('/readyz');
  expect([before.statusCode, before.body]).toEqual([503, '{"ready":false}']);
  readiness.set('kafka', true);
  expect((await app.inject('/readyz')).body).toBe('{"ready":true}');
  expect((await app.inject('/livez')).statusCode).toBe(200);
  expect((await app.inject('/metrics')).statusCode).toBe(404);
});
