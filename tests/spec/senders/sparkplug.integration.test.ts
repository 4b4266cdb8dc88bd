import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateApiKey, hashApiKey } from '@cellarman/api-key';
import { unusedPorts } from '@cellarman/local-stack';
import mqtt from 'mqtt';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { encodePayload } from '../../../services/gateway/src/sparkplug/payload.ts';
import type { Metric } from '../../../services/gateway/src/sparkplug/payload.ts';
import { signIn } from '../client/owner.ts';
import { waitForReadings } from '../client/stored-readings.ts';
import { kill } from './mqtt.ts';

/* docs/gateway.md: an edge node of Sparkplug B → gateway → ingest → view. */

const main = join(import.meta.dirname, '..', '..', '..', 'services', 'gateway', 'src', 'main.ts');
const localKey = generateApiKey();
const [FLOAT, BOOLEAN, STRING] = [9, 11, 12];

let folder: string;
let gateway: ChildProcess;
let cellar: string;
let mqttUrl: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellarman-sparkplug-'));
  const [httpPort = 0, mqttPort = 0] = await unusedPorts(2);
  const opened = await (await signIn()).openCellar();
  cellar = opened.name;
  mqttUrl = `mqtt://127.0.0.1:${mqttPort}`;
  const env = {
    ...{ PORT: String(httpPort), MQTT_PORT: String(mqttPort), LOG_LEVEL: 'error' },
    ...{ INGEST_URL: inject('product').ingestUrl, CELLAR: cellar, SPOOL_FILE: join(folder, 'spool') },
    ...{ API_KEY: (await opened.createKey()).secret, LOCAL_KEYS: `plant=${hashApiKey(localKey)}` },
    ...{ SPARKPLUG_RACK: '{node}/{device}', SPARKPLUG_KEGS: 'Inputs/A=temperature' },
  };
  gateway = spawn(process.execPath, [main], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const isReady = async () => expect((await fetch(`http://127.0.0.1:${httpPort}/readyz`)).status).toBe(200);
  await vi.waitFor(isReady, { timeout: 60_000 });
});
afterAll(async () => {
  await kill(gateway);
  await rm(folder, { recursive: true });
});

test('the metrics of an edge node and its device are in the view, each once, with the time of the device', async () => {
  const node = await mqtt.connectAsync(mqttUrl, { username: 'plant', password: localKey });
  const at = Date.now();
  const publish = (topic: string, offset: number, metrics: Metric[], qos: 0 | 1 = 0) =>
    node.publishAsync(`spBv1.0/hall/${topic}`, encodePayload({ timestamp: String(at + offset), metrics }), {
      qos,
    });
  await publish('NBIRTH/edge', 0, [{ name: 'Online', alias: '1', datatype: BOOLEAN, booleanValue: true }]);
  const metrics: Metric[] = [
    { name: 'Inputs/A', alias: '2', datatype: FLOAT, floatValue: 20.1 },
    { name: 'Serial', datatype: STRING },
  ];
  await publish('DBIRTH/edge/press', 0, metrics);
  await publish('DDATA/edge/press', 1_000, [{ alias: '2', floatValue: 20.5 }]);
  await publish('NDATA/edge', 1_000, [{ alias: '1', booleanValue: false }]);
  // Sparkplug publishes with QoS 0; with this one the others have arrived.
  await publish('DDATA/edge/press', 1_000, [{ alias: '2', floatValue: 20.5 }], 1);
  await node.endAsync();

  const stored = await waitForReadings(cellar, 4);
  const found = stored.map(({ rack, keg, value, timestamp }) => [
    ...[rack, keg, value],
    Date.parse(`${timestamp.replace(' ', 'T')}Z`) - at,
  ]);
  expect(found.toSorted()).toEqual([
    ['edge', 'Online', 0, 1_000],
    ['edge', 'Online', 1, 0],
    ['edge/press', 'temperature', 20.1, 0],
    ['edge/press', 'temperature', 20.5, 1_000],
  ]);
});
