import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./programs/loaded-modules.ts', import.meta.url));

async function loadedWith(variables: object): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, JSON.stringify(variables)]);
  return JSON.parse(stdout) as string[];
}

test('who sends nothing to a collector does not load the SDK', async () => {
  expect(await loadedWith({})).toEqual([]);
});

test.each([
  { OTEL_METRICS_EXPORTER: 'otlp' },
  { OTEL_LOGS_EXPORTER: 'otlp' },
  { OTEL_TRACES_EXPORTER: 'otlp' },
  { OTEL_PROPAGATORS: 'b3' },
])('%j loads the SDK', async (variables) => {
  expect(await loadedWith(variables)).toContain('sdk-node');
});
