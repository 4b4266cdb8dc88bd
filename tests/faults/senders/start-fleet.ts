import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { generateApiKey, hashApiKey } from '@cellarman/api-key';
import { unusedPorts } from '@cellarman/local-stack';
import { driver as python } from '../../../clients/python/tests/python.ts';
import { clockOf, writeOffset } from '../faults/clock.ts';
import type { Harness } from '../harness.ts';
import type { Load, LoadOptions } from '../load.ts';
import { createCourse } from './course.ts';
import type { Course, Pace } from './course.ts';
import { runClient } from './run-client.ts';
import type { ClientProcess } from './run-client.ts';
import { runHttpDevice, runMqttDevice } from './run-device.ts';
import { runGateway } from './run-gateway.ts';

export interface FleetSize extends Pace {
  /** Processes, half of them Node and half of them Python. */
  clients: number;
  mqttDevices: number;
  httpDevices: number;
  /** Whether the clocks of half of the clients can be set. Needs Debian's package libfaketime. */
  hasClocks?: boolean;
}

export interface Fleet extends Load {
  course: Course;
  /** The folder of all spools. */
  folder: string;
  setClocks(seconds: number): Promise<void>;
  /** Bytes of the largest spool that may have 64 KiB of readings, with its log. */
  largestSmallSpool(): Promise<number>;
}

const NODE = [process.execPath, join(import.meta.dirname, '../../../clients/node/tests/driver.ts')];
const SMALL_BYTES = 65_536;
const GATEWAY_BYTES = 2 * 1_048_576;
const SENDING = { retryMinMs: 200, retryMaxMs: 5_000, lingerMs: 500 };

/** Clients set the timestamps of every third rack. MQTT devices always do: without, a repetition is a second reading. */
export const isTimedByClient = (clients: number) => (rack: number) => rack < clients && rack % 3 === 0;

export function startFleet(harness: Harness, to: LoadOptions & { cellar: string }, size: FleetSize): Fleet {
  const { clients, mqttDevices, httpDevices, hasClocks = false } = size;
  const course = createCourse(to.ledger, size, clients + 1);
  const folder = join(harness.dataDir, 'spools');
  const clock = join(harness.dataDir, 'clock-clients');
  const { ingestUrl } = harness.product.run();

  function clientOf(rack: number): ClientProcess {
    const isSmall = rack % 5 === 0;
    const command = rack % 2 === 1 && python !== undefined ? python : NODE;
    const env =
      hasClocks && rack % 4 < 2 ? Object.entries(clockOf(clock)).map((entry) => entry.join('=')) : [];
    const spool = join(folder, `${isSmall ? 'small' : 'large'}-${rack}`);
    const maxBytes = isSmall ? SMALL_BYTES : 256 * 1_048_576;
    return {
      rack,
      command: ['env', ...env, ...command],
      options: { url: ingestUrl, apiKey: to.apiKey, spool, maxBytes, ...SENDING },
    };
  }

  async function run(): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writeOffset(clock, 0);
    const [httpPort = 0, mqttPort = 0] = await unusedPorts(2);
    const localKey = generateApiKey();
    const [httpUrl, mqttUrl] = [`http://127.0.0.1:${httpPort}`, `mqtt://127.0.0.1:${mqttPort}`];
    const env = {
      ...{ PORT: String(httpPort), MQTT_PORT: String(mqttPort), LOG_LEVEL: 'silent' },
      ...{ INGEST_URL: ingestUrl, API_KEY: to.apiKey, CELLAR: to.cellar },
      ...{ LOCAL_KEYS: `hall=${hashApiKey(localKey)}`, MQTT_TOPICS: '{rack}/{keg}' },
      ...{ SPOOL_FILE: join(folder, 'gateway'), SPOOL_MAX_BYTES: String(GATEWAY_BYTES) },
    };
    const devices = Array.from({ length: mqttDevices + httpDevices }, async (_, index) => {
      const runDevice = index < mqttDevices ? runMqttDevice : runHttpDevice;
      await runDevice(course, { rack: clients + index, mqttUrl, httpUrl, localKey });
    });
    const senders = [
      ...Array.from({ length: clients }, async (_, rack) => runClient(course, clientOf(rack))),
      runGateway(course, { url: httpUrl, env }, Promise.all(devices)),
    ];
    // The first failure ends the round; the others then end in an orderly way.
    for (const sender of senders) sender.catch(() => course.stop.abort());
    const failed = (await Promise.allSettled(senders)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  const running = run();
  // `stop` throws it.
  running.catch(() => course.stop.abort());
  return {
    ...{ course, folder },
    setClocks: (seconds) => writeOffset(clock, seconds),
    async largestSmallSpool() {
      const names = (await readdir(folder)).filter((name) => /^small-\d+$/.test(name));
      const sizes = names.map(
        async (name) => (await sizeOf(join(folder, name))) + (await sizeOf(join(folder, `${name}-wal`))),
      );
      return Math.max(0, ...(await Promise.all(sizes)));
    },
    figures: () => course.tally.figures(),
    slowestFromNow: () => course.tally.slowestFromNow(),
    async stop() {
      course.stop.abort();
      await running;
    },
  };
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
