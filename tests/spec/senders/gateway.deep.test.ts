import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateApiKey, hashApiKey } from '@cellarman/api-key';
import { READINGS_TOPIC } from '@cellarman/contracts';
import { readRange, silentLogger } from '@cellarman/kafka';
import { unusedPorts } from '@cellarman/local-stack';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { signIn } from '../client/owner.ts';
import { waitForReadings } from '../client/stored-readings.ts';
import { startFailingProxy } from './failing-proxy.ts';
import type { FailingProxy } from './failing-proxy.ts';
import { kill } from './mqtt.ts';

/* docs/gateway.md: what PUBACK or 202 acknowledged is in the view once, whatever happens to the gateway and to ingest. */

const main = join(import.meta.dirname, '..', '..', '..', 'services', 'gateway', 'src', 'main.ts');
const PATIENCE = { timeout: 60_000, interval: 5 };
const DEVICES = 5;
const POSTERS = 3;
const KILLS = 8;
/** Messages that a device has sent and the gateway has not acknowledged. */
const IN_FLIGHT = 20;

describe('the gateway', () => {
  const localKey = generateApiKey();
  /** By rack: the values that were acknowledged, which count from 0. */
  const acknowledged = new Map<string, number[]>();
  let folder: string;
  let proxy: FailingProxy;
  let cellar: string;
  let env: Record<string, string>;
  let mqttUrl: string;
  let httpUrl: string;
  let gateway: ChildProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cellarman-gateway-'));
    const [httpPort = 0, mqttPort = 0] = await unusedPorts(2);
    proxy = await startFailingProxy(inject('product').ingestUrl);
    const opened = await (await signIn()).openCellar();
    cellar = opened.name;
    mqttUrl = `mqtt://127.0.0.1:${mqttPort}`;
    httpUrl = `http://127.0.0.1:${httpPort}`;
    env = {
      PORT: String(httpPort),
      MQTT_PORT: String(mqttPort),
      INGEST_URL: proxy.url,
      API_KEY: (await opened.createKey()).secret,
      CELLAR: cellar,
      LOCAL_KEYS: `hall=${hashApiKey(localKey)}`,
      MQTT_TOPICS: '{rack}/{keg}',
      SPOOL_FILE: join(folder, 'spool'),
      LOG_LEVEL: 'error',
    };
  });
  afterAll(async () => {
    await kill(gateway);
    await proxy.close();
    await rm(folder, { recursive: true });
  });

  async function start(): Promise<void> {
    gateway = spawn(process.execPath, [main], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await vi.waitFor(async () => expect((await fetch(`${httpUrl}/readyz`)).status).toBe(200), PATIENCE);
  }

  const total = () => [...acknowledged.values()].reduce((sum, { length }) => sum + length, 0);
  const timestamp = () => new Date().toISOString();

  /** Publishes until `isOver`, with messages in flight. mqtt.js sends again what was not acknowledged. */
  async function publish(rack: string, isOver: () => boolean): Promise<void> {
    const values: number[] = [];
    acknowledged.set(rack, values);
    const options = {
      username: 'hall',
      password: localKey,
      reconnectPeriod: 20,
      clean: false,
      clientId: rack,
    };
    const device = mqtt.connect(mqttUrl, options);
    // Cut connections are what this test is about.
    device.on('error', () => undefined);
    for (let value = 0; !isOver();) {
      let left = Array.from({ length: IN_FLIGHT }, () => ({ value: value++, timestamp: timestamp() }));
      // mqtt.js gives up what waits behind its retries when the connection is cut again, and that is always the end of a list.
      while (left.length > 0) {
        const results = await Promise.allSettled(
          left.map((message) =>
            device.publishAsync(`${rack}/temperature`, JSON.stringify(message), { qos: 1 }),
          ),
        );
        const isAcknowledged = (_: unknown, index: number) => results[index]?.status === 'fulfilled';
        values.push(...left.filter(isAcknowledged).map((message) => message.value));
        left = left.filter((_, index) => results[index]?.status === 'rejected');
      }
    }
    await device.endAsync();
  }

  async function post(rack: string, isOver: () => boolean): Promise<void> {
    const values: number[] = [];
    acknowledged.set(rack, values);
    const headers = { 'x-api-key': localKey, 'content-type': 'application/json' };
    for (let value = 0; !isOver(); value++) {
      const body = JSON.stringify({ cellar, rack, keg: 'temperature', value, timestamp: timestamp() });
      await vi.waitFor(async () => {
        const response = await fetch(`${httpUrl}/api/v1/ingest`, { method: 'POST', headers, body });
        expect(response.status).toBe(202);
      }, PATIENCE);
      values.push(value);
    }
  }

  it('loses and repeats nothing that it acknowledged, over kill -9 and an ingest that is away', async () => {
    await start();
    let isOver = false;
    const senders = [
      ...Array.from({ length: DEVICES }, (_, index) => publish(`mqtt-${index}`, () => isOver)),
      ...Array.from({ length: POSTERS }, (_, index) => post(`http-${index}`, () => isOver)),
    ];
    const states = ['open', 'unavailable', 'lost', 'bad gateway'] as const;
    for (let killed = 0; killed < KILLS; killed++) {
      proxy.behaviour = states[killed % states.length] ?? 'open';
      const until = total() + randomInt(1, 200);
      await vi.waitFor(() => expect(total()).toBeGreaterThan(until), PATIENCE);
      await kill(gateway);
      await start();
    }
    isOver = true;
    await Promise.all(senders);
    proxy.behaviour = 'open';

    const rows = await waitForReadings(cellar, total());
    for (const [rack, values] of acknowledged) {
      const stored = rows.filter((row) => row.rack === rack).map(({ value }) => value);
      expect(
        stored.sort((a, b) => a - b),
        rack,
      ).toEqual(values.sort((a, b) => a - b));
      expect(values.length, rack).toBeGreaterThan(KILLS);
    }
    const order = await orderInTopic();
    for (const [rack, values] of acknowledged) expect([...(order.get(rack) ?? [])], rack).toEqual(values);
  }, 240_000);

  /** By rack: the values in the order of their first message. */
  async function orderInTopic(): Promise<Map<string, Set<number>>> {
    const order = new Map<string, Set<number>>();
    const { kafkaBrokers: brokers } = inject('product');
    const connection = { brokers, clientId: 'gateway-test', logger: silentLogger };
    for await (const { messages } of readRange({
      connection,
      topic: READINGS_TOPIC,
      from: 'start',
      to: 'end',
    })) {
      for (const { key, value } of messages) {
        // Other tests write what is not a reading.
        if (!String(key).startsWith(`${cellar}/`)) continue;
        const reading = JSON.parse(String(value)) as { rack: string; value: number };
        order.set(reading.rack, (order.get(reading.rack) ?? new Set()).add(reading.value));
      }
    }
    return order;
  }
});
