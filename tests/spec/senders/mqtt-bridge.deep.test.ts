import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { pythonEnvironment } from '../../python-environment.ts';
import { unusedPorts } from '@cellarman/local-stack';
import { signIn } from '../client/owner.ts';
import { secondsAgo } from '../client/reading.ts';
import { storedReadings, waitForReadings } from '../client/stored-readings.ts';
import { startFailingProxy } from './failing-proxy.ts';
import type { Behaviour, FailingProxy } from './failing-proxy.ts';
import { kill, mosquittoPath, startBroker } from './mqtt.ts';
import type { Broker, Message } from './mqtt.ts';

/* docs/mqtt.md: what a device published is in the view, whatever happens to the bridge and to ingest. */

const docs = join(import.meta.dirname, '..', '..', '..', 'docs', 'senders', 'mqtt');
const environment = await pythonEnvironment(join(docs, 'requirements.txt'));
const python = 'python' in environment ? environment.python : undefined;
const missing = [
  ...('missing' in environment ? [`python3 with venv, and PyPI: ${environment.missing}`] : []),
  ...(mosquittoPath === undefined ? ['mosquitto (Debian: apt-get install mosquitto)'] : []),
];
if (missing.length > 0) process.stderr.write(`NOT RUN: the MQTT bridge. It needs ${missing.join(', ')}\n`);

const PATIENCE = { timeout: 60_000, interval: 50 };

describe.skipIf(missing.length > 0)('the MQTT bridge', () => {
  let folder: string;
  let broker: Broker;
  let proxy: FailingProxy;
  let bridge: ChildProcess;
  let cellar: string;
  let apiKey: string;
  let number = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cellarman-mqtt-'));
    const [port = 0] = await unusedPorts(1);
    broker = await startBroker(python ?? '', folder, port);
    proxy = await startFailingProxy(inject('product').ingestUrl);
    const opened = await (await signIn()).openCellar();
    cellar = opened.name;
    apiKey = (await opened.createKey()).secret;
    bridge = startBridge();
    // The broker keeps messages for a session that it knows.
    const first = message();
    await vi.waitFor(async () => {
      await broker.publish([first]);
      expect(await storedReadings(cellar)).toHaveLength(1);
    }, PATIENCE);
  });
  afterAll(async () => {
    await kill(bridge);
    await broker.stop();
    await proxy.close();
    await rm(folder, { recursive: true });
  });

  function startBridge(): ChildProcess {
    const where = ['--broker', '127.0.0.1', '--port', String(broker.port), '--ingest', proxy.url];
    const what = ['--topic', `${cellar}/+/+`, '--rejected', join(folder, 'rejected.jsonl')];
    return spawn(python ?? '', [join(docs, 'bridge.py'), ...where, ...what], {
      env: { ...process.env, API_KEY: apiKey },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  const message = (): Message => ({
    topic: `${cellar}/rack-${number % 7}/temperature`,
    payload: `{"value":${number++},\n "timestamp":"${secondsAgo(0)}"}`,
  });
  const messages = (count: number) => Array.from({ length: count }, message);

  /** The bridge sends what it got, in vain, and is killed. */
  async function failAndKill(behaviour: Behaviour): Promise<void> {
    proxy.behaviour = behaviour;
    const before = proxy.count[behaviour];
    await broker.publish(messages(100));
    await vi.waitFor(() => expect(proxy.count[behaviour]).toBeGreaterThan(before + 1), PATIENCE);
    await kill(bridge);
    await broker.publish(messages(100));
    bridge = startBridge();
    await vi.waitFor(() => expect(proxy.count[behaviour]).toBeGreaterThan(before + 2), PATIENCE);
  }

  it('loses nothing to 503, 502, lost responses and three kill -9, and stores each once', async () => {
    for (const behaviour of ['unavailable', 'lost', 'bad gateway'] as const) await failAndKill(behaviour);
    proxy.behaviour = 'open';
    await broker.publish(messages(50));
    const rows = await waitForReadings(cellar, number);
    const values = rows.map(({ value }) => value).sort((a, b) => a - b);
    expect(values).toEqual(Array.from({ length: number }, (_, value) => value));
  });

  it('keeps what is rejected for good in a file, with the reason, and goes on', async () => {
    const topic = `${cellar}/rejected/temperature`;
    const timestamp = secondsAgo(0);
    const bad = ['21.5', '', `{"value":"7","timestamp":"${timestamp}"}`, '{}', ' '.repeat(20_000) + 'x'];
    // Each makes a whole batch unacceptable.
    const poison = [`{${' '.repeat(70_000)}}`, `"${'x'.repeat(5_000_000)}"`];
    bad.push(...poison);
    const good = message();
    await broker.publish([...bad.map((payload) => ({ topic, payload })), good]);
    const rows = await waitForReadings(cellar, number);
    expect(rows.map(({ value }) => value)).toContain(number - 1);
    const entries = (await readFile(join(folder, 'rejected.jsonl'), 'utf8')).trim().split('\n');
    const rejected = entries.map((line) => JSON.parse(line) as Message & { code: string });
    // Their order is that of the batches; the poison may come later than what was sent with it.
    expect(rejected.map(({ payload }) => payload).sort()).toEqual(bad.sort());
    expect(new Set(rejected.map(({ code }) => code))).toEqual(
      new Set(['invalid_reading', 'invalid_json', 'payload_too_large']),
    );
  });
});
