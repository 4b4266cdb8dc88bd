import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unusedPorts, until } from '@cellarman/local-stack';

const START_DEADLINE_MS = 30_000;

export type Signal = 'traces' | 'metrics' | 'logs';
const SIGNALS: readonly Signal[] = ['traces', 'metrics', 'logs'];

/** A real collector that writes what it gets into a file for each signal, a line of OTLP's JSON for each request. */
export interface RunningCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string;
  fileOf(signal: Signal): string;
  stop(): Promise<void>;
}

export async function startCollector(options: {
  program: string;
  directory: string;
  onSpawn: (pid: number) => void;
}): Promise<RunningCollector> {
  const { program, directory, onSpawn } = options;
  await mkdir(directory, { recursive: true });
  const [port = 0] = await unusedPorts(1);
  const fileOf = (signal: Signal) => join(directory, `${signal}.jsonl`);
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: Object.fromEntries(
      SIGNALS.map((signal) => [`file/${signal}`, { path: fileOf(signal), flush_interval: '100ms' }]),
    ),
    service: {
      telemetry: { metrics: { level: 'none' }, logs: { level: 'warn' } },
      pipelines: Object.fromEntries(
        SIGNALS.map((signal) => [signal, { receivers: ['otlp'], exporters: [`file/${signal}`] }]),
      ),
    },
  };
  const configFile = join(directory, 'collector.yaml');
  // JSON is YAML.
  await writeFile(configFile, JSON.stringify(config));

  const child = spawn(program, ['--config', configFile], { stdio: ['ignore', 'ignore', 'pipe'] });
  if (child.pid !== undefined) onSpawn(child.pid);
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const exited = once(child, 'exit');
  const endpoint = `http://127.0.0.1:${port}`;
  const isListening = async () => {
    if (child.exitCode !== null) throw new Error(`the collector does not start: ${words}`);
    return fetch(endpoint).then(
      () => true,
      () => false,
    );
  };
  await until('the collector listens', isListening, { deadlineMs: START_DEADLINE_MS });
  return {
    endpoint,
    fileOf,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
