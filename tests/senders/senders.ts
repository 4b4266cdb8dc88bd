import { join } from 'node:path';

/** Of `influxdb-client`. */
export const REQUIREMENTS = join(
  import.meta.dirname,
  '..',
  '..',
  'docs',
  'senders',
  'home-assistant',
  'requirements.txt',
);
const docs = join(import.meta.dirname, '..', '..', 'docs', 'senders');

export interface SenderSettings {
  folder: string;
  /** Ports that nobody uses. */
  port: number;
}

/** One page of docs/senders, with the configuration that it shows. */
export interface Sender {
  /** A command that must be on the PATH or in `TOOLS`, and how to get it. */
  tool: string;
  install: string;
  args: (settings: SenderSettings) => string[];
  /** Written to its standard input: a number on each line. */
  reads?: boolean;
  /** Written into the folder beforehand. */
  files?: Record<string, string>;
  /** Sends to a running sender. */
  feed?: (settings: SenderSettings) => Promise<void>;
  /** @default true */
  retries?: boolean;
}

export const READINGS = 40;
const values = Array.from({ length: READINGS }, (_, value) => value);
/** The first of them is in the past, and each has its own time. */
const nanoseconds = (value: number) => `${BigInt(Date.now() - 60_000 + value) * 1_000_000n}`;

/** Reads the same lines again and again, as often as it may: repetitions are stored once. */
const telegrafInput = `
[agent]
  interval = "1s"
  flush_interval = "1s"
[[inputs.file]]
  files = ["lines.txt"]
  data_format = "influx"
`;
const lines = values
  .map((value) => `boiler,rack=boiler-1 sequence=${value} ${nanoseconds(value)}\n`)
  .join('');

const TELEGRAF = {
  tool: 'telegraf',
  install: 'go install github.com/influxdata/telegraf/cmd/telegraf@v1.37.2',
  files: { 'input.conf': telegrafInput, 'lines.txt': lines },
};

export const SENDERS: Record<string, Sender> = {
  'telegraf-influxdb': {
    ...TELEGRAF,
    args: () => ['--config', join(docs, 'telegraf', 'influxdb.conf'), '--config', 'input.conf'],
  },
  'telegraf-http': {
    ...TELEGRAF,
    args: () => ['--config', join(docs, 'telegraf', 'http.conf'), '--config', 'input.conf'],
  },
  'influxdb-client': {
    tool: 'python',
    install: 'python3 with venv, and PyPI',
    args: () => [join(docs, 'home-assistant', 'write.py')],
    reads: true,
  },
  curl: {
    tool: 'sh',
    install: 'Debian: apt-get install curl',
    args: () => [join(docs, 'curl', 'send.sh'), 'boiler-1', 'boiler.sequence'],
    reads: true,
  },
  k6: {
    tool: 'k6',
    install: 'go install go.k6.io/k6@v1.8.1',
    args: () => ['run', '--quiet', '--env', `ITERATIONS=${READINGS / 5}`, join(docs, 'k6', 'load.js')],
    retries: false,
  },
  'otel-collector': {
    tool: 'otelcol',
    install:
      'the builder of OpenTelemetry 0.161.0 with otlpreceiver, batchprocessor, otlphttpexporter and filestorage',
    args: ({ port }) => [
      ...['--config', join(docs, 'otel-collector', 'config.yaml')],
      ...['--set', `receivers.otlp.protocols.http.endpoint=127.0.0.1:${port}`],
    ],
    feed: feedOtlp,
  },
  'node-red': {
    tool: 'node-red',
    install: 'npm install --global node-red@4.1',
    args: ({ port, folder }) => [
      '--userDir',
      folder,
      '--port',
      String(port),
      join(docs, 'node-red', 'flow.json'),
    ],
    feed: feedNodeRed,
  },
};

/** As devices in the LAN do. Resolves when Node-RED listens; it responds when a reading is stored. */
async function feedNodeRed({ port }: SenderSettings): Promise<void> {
  const url = `http://127.0.0.1:${port}`;
  const isTaken = (error: unknown) => (error as Error).name === 'TimeoutError';
  for (const value of values) {
    const body = JSON.stringify({ rack: 'boiler-1', keg: 'boiler.sequence', value });
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body };
    if (value > 0) void fetch(`${url}/readings`, request).catch(() => undefined);
    else {
      // Without its flow Node-RED responds immediately.
      const signal = AbortSignal.timeout(2_000);
      const response = await fetch(`${url}/readings`, { ...request, signal }).catch((error: unknown) => {
        if (!isTaken(error)) throw error;
      });
      if (response !== undefined) throw new Error(`Node-RED responded ${response.status}`);
    }
  }
}

/** Sends each value as a gauge, until the Collector takes it. */
async function feedOtlp({ port }: SenderSettings): Promise<void> {
  const dataPoints = values.map((value) => ({
    asDouble: value,
    timeUnixNano: nanoseconds(value),
    attributes: [{ key: 'rack', value: { stringValue: 'boiler-1' } }],
  }));
  const metrics = [{ name: 'boiler.sequence', gauge: { dataPoints } }];
  const body = JSON.stringify({
    resourceMetrics: [{ resource: {}, scopeMetrics: [{ scope: {}, metrics }] }],
  });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}/v1/metrics`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`the Collector responded ${response.status} ${await response.text()}`);
}

export const INPUT = values.map((value) => `${value}\n`).join('');
