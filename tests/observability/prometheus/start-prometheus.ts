import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { unusedPorts } from '@cellarman/local-stack';

const START_DEADLINE_MS = 30_000;
/** Certificates of tests are of no authority. */
const HTTPS = { scheme: 'https', tls_config: { insecure_skip_verify: true } };

export interface Series {
  metric: Record<string, string>;
  /** Seconds since 1970, and the number as text. */
  value: [number, string];
}

export interface FiringAlert {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  state: 'pending' | 'firing';
  activeAt: string;
}

/** A real Prometheus that reads metrics of this machine. */
export interface RunningPrometheus {
  url: string;
  query(expr: string): Promise<Series[]>;
  alerts(): Promise<FiringAlert[]>;
  /** Returns the response of a path below /api/v1. */
  api<Data>(path: string): Promise<Data>;
  stop(): Promise<void>;
}

export async function startPrometheus(options: {
  program: string;
  directory: string;
  /** Targets as host:port, by job. */
  targets: Readonly<Record<string, readonly string[]>>;
  rulesFile: string;
  scrapeInterval: string;
  onSpawn?: (pid: number) => void;
}): Promise<RunningPrometheus> {
  const { program, directory, targets, rulesFile, scrapeInterval } = options;
  await mkdir(directory, { recursive: true });
  const config = {
    global: {
      scrape_interval: scrapeInterval,
      scrape_timeout: scrapeInterval,
      evaluation_interval: scrapeInterval,
    },
    rule_files: [rulesFile],
    scrape_configs: Object.entries(targets).map(([job, urls]) => ({
      job_name: job,
      ...(urls.some((url) => url.startsWith('https:')) ? HTTPS : {}),
      static_configs: [{ targets: urls.map((url) => new URL(url).host), labels: { namespace: 'local' } }],
    })),
  };
  // JSON is YAML.
  await writeFile(join(directory, 'prometheus.yaml'), JSON.stringify(config));

  const [port = 0] = await unusedPorts(1);
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    program,
    [
      `--config.file=${join(directory, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
      '--enable-feature=exemplar-storage',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  if (child.pid !== undefined) options.onSpawn?.(child.pid);
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const exited = once(child, 'exit');

  const deadline = Date.now() + START_DEADLINE_MS;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`Prometheus does not start: ${words}`);
    }
    await delay(50);
  }

  async function api<Data>(path: string): Promise<Data> {
    const answer = await fetch(`${url}/api/v1/${path}`);
    const body = (await answer.json()) as { status: string; error?: string; data: Data };
    if (body.status !== 'success') throw new Error(`Prometheus rejects ${path}: ${body.error ?? ''}`);
    return body.data;
  }
  return {
    url,
    api,
    async query(expr) {
      const { result } = await api<{ result: Series[] }>(`query?query=${encodeURIComponent(expr)}`);
      return result;
    },
    alerts: async () => (await api<{ alerts: FiringAlert[] }>('alerts')).alerts,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}
