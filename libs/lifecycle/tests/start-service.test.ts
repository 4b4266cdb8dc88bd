import { expect, it } from 'vitest';
import { telemetryVariables } from '@cellarman/telemetry';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { startService } from '../src/index.ts';
import type { RunningService, Service, ServiceConfig, ServiceDefinition } from '../src/index.ts';

const config = {
  ...(Value.Default(Type.Object(telemetryVariables), {}) as object),
  ...{ HOST: '127.0.0.1', LOG_LEVEL: 'info' },
} as ServiceConfig;

let started: Service<ServiceConfig> | undefined;
const during: unknown[] = [];

const definition: ServiceDefinition<ServiceConfig, RunningService> = {
  name: 'program',
  version: '0',
  parts: ['kafka'],
  operationsPort: () => 0,
  loadConfig: () => config,
  async start(service) {
    started = service;
    return {
      async stop(step) {
        await step('readings', async () => {
          during.push(service.readiness.report());
        });
      },
    };
  },
};

it('serves probes and metrics from before the start until after the stop', async () => {
  const lines: string[] = [];
  const running = await startService(definition, config, {
    stdout: { write: (line) => void lines.push(line) },
  });
  const get = (path: string) => fetch(running.operationsUrl + path);
  expect(await (await get('/readyz')).json()).toEqual({
    ready: false,
    parts: { kafka: { ready: false, reason: 'starting' } },
  });
  started?.readiness.set('kafka', true);
  expect((await get('/readyz')).status).toBe(200);
  expect(await (await get('/metrics')).text()).toContain('process_');

  const steps: string[] = [];
  await running.stop(async (name, run) => {
    steps.push(name);
    return run();
  });
  expect(steps).toEqual(['readings', 'telemetry', 'operations']);
  expect(during).toMatchObject([{ ready: false, parts: { process: { reason: 'shutting down' } } }]);
  await expect(get('/livez')).rejects.toThrow('fetch failed');
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(messages).toEqual([
    'serving probes and metrics',
    'program has started',
    'kafka is ready',
    'process is not ready',
  ]);
});
