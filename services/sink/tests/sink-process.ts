import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export interface LogLine {
  level: string;
  msg: string;
  [field: string]: unknown;
}

/** The real program in a process of its own. */
export interface SinkProcess {
  readonly pid: number;
  readonly log: readonly LogLine[];
  /** Ends it and resolves with the exit code, or null if the signal ended it. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** Resolves when it has ended by itself. */
  readonly exited: Promise<number | null>;
  /** The HTTP status and body of a path such as /readyz. */
  get(path: string): Promise<{ status: number; body: string }>;
}

export async function runMigrate(env: Record<string, string>): Promise<readonly LogLine[]> {
  const { child, log, exited } = spawnSink(['migrate'], env);
  const code = await exited;
  if (code !== 0)
    throw new Error(`migrate ended with ${code ?? child.signalCode ?? ''}: ${JSON.stringify(log)}`);
  return log;
}

/** Resolves when the probes respond; the sink may still wait for Kafka or ClickHouse then. */
export async function startSink(env: Record<string, string>): Promise<SinkProcess> {
  const { child, log, exited } = spawnSink([], env);
  const address = await new Promise<string>((resolve, reject) => {
    const lookFor = (line: LogLine) => {
      if (typeof line['url'] === 'string') resolve(line['url']);
    };
    child.on('line', lookFor);
    void exited.then(() => reject(new Error(`the sink ended at once: ${JSON.stringify(log)}`)));
  });
  return {
    pid: child.pid ?? 0,
    log,
    exited,
    async kill(signal) {
      child.kill(signal);
      return exited;
    },
    async get(path) {
      const response = await fetch(address + path);
      return { status: response.status, body: await response.text() };
    },
  };
}

function spawnSink(args: string[], env: Record<string, string>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: LogLine[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (text) => {
      const line = text.startsWith('{') ? (JSON.parse(text) as LogLine) : { level: 'raw', msg: text };
      log.push(line);
      child.emit('line', line);
    });
  }
  const exited = once(child, 'close').then(() => child.exitCode);
  return { child, log, exited };
}
