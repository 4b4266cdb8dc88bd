import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./programs/loaded-modules.ts', import.meta.url));

async function loadedWith(variables: object): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, JSON.stringify(variables)]);
  return JSON.parse(stdout) as string[];
}

test('who sends nothing to a collector loads nothing for it', async () => {
  expect(await loadedWith({})).toEqual([]);
});

test('who sends metrics and logs loads what these need, and not the SDK of traces', async () => {
  const loaded = await loadedWith({ OTEL_METRICS_EXPORTER: 'otlp', OTEL_LOGS_EXPORTER: 'otlp' });
  expect(loaded).toEqual(
    expect.arrayContaining(['exporter-logs-otlp-proto', 'exporter-metrics-otlp-proto', 'sdk-logs']),
  );
  expect(loaded).not.toContain('sdk-trace');
});
