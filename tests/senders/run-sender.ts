import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unusedPorts, until } from '@cellarman/local-stack';
import type { RunFile } from '@cellarman/local-stack';
import { signIn } from '../faults/management.ts';
import { storedRows, viewOf } from '../faults/stored-rows.ts';
import { startFailingProxy } from '../spec/senders/failing-proxy.ts';
import type { FailingProxy } from '../spec/senders/failing-proxy.ts';
import { INPUT, READINGS } from './senders.ts';
import type { Sender } from './senders.ts';

const PATIENCE = { deadlineMs: 90_000 };

export interface SenderReport {
  stored: number;
  /** Of the readings that it was given. */
  missing: number[];
  repeated: number[];
  /** Requests that got 503, and whose response was lost. */
  failed: { unavailable: number; lost: number };
}

/** Runs a sender with its documented configuration against the product, which is unavailable at first. */
export async function runSender(
  name: string,
  sender: Sender,
  run: RunFile,
  path: string,
): Promise<SenderReport> {
  const folder = await mkdtemp(join(tmpdir(), `cellarman-${name}-`));
  const proxy = await startFailingProxy(run.ingestUrl);
  const management = await signIn(run);
  await management.createCellar(name);
  const { secret } = await management.createKey(name);
  for (const [file, text] of Object.entries(sender.files ?? {})) await writeFile(join(folder, file), text);
  if (sender.retries !== false) proxy.behaviour = 'unavailable';
  const [port = 0] = await unusedPorts(1);
  const settings = { folder, port };
  const child = spawn(sender.tool, sender.args(settings), {
    cwd: folder,
    env: {
      ...process.env,
      ...{ PATH: path, CELLARMAN_URL: proxy.url, API_KEY: secret, CELLAR: name, QUEUE_DIRECTORY: folder },
    },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    await once(child, 'spawn');
    child.stdin.end(sender.reads === true ? INPUT : '');
    if (sender.feed !== undefined) {
      await until(
        'the sender listens',
        () =>
          sender.feed?.(settings).then(
            () => true,
            () => undefined,
          ),
        PATIENCE,
      );
    }
    if (sender.retries !== false) await fail(proxy);
    const view = { ...viewOf(run), cellar: name };
    const complete = async () => {
      const report = await compare(view);
      return report.missing.length === 0 ? report : undefined;
    };
    const report = await until('everything is stored', complete, PATIENCE).catch(() => compare(view));
    return { ...report, failed: proxy.count };
  } finally {
    child.kill('SIGKILL');
    await ended;
    await proxy.close();
    await rm(folder, { recursive: true });
  }
}

async function fail(proxy: FailingProxy): Promise<void> {
  for (const behaviour of ['unavailable', 'lost'] as const) {
    proxy.behaviour = behaviour;
    await until(behaviour, () => (proxy.count[behaviour] > 0 ? true : undefined), PATIENCE);
  }
  proxy.behaviour = 'open';
}

async function compare(view: Parameters<typeof storedRows>[0]): Promise<Omit<SenderReport, 'failed'>> {
  const values: number[] = [];
  for await (const { keg, value } of storedRows(view)) if (keg.startsWith('boiler')) values.push(value);
  const expected = Array.from({ length: READINGS }, (_, value) => value);
  return {
    stored: values.length,
    missing: expected.filter((value) => !values.includes(value)),
    repeated: values.filter((value, index) => values.indexOf(value) !== index),
  };
}
