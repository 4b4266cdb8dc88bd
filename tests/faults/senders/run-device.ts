import { randomInt } from 'node:crypto';
import { INGEST_PATH } from '@cellarman/contracts';
import mqtt from 'mqtt';
import type { NumberedReading } from '../ledger.ts';
import { acknowledge } from './course.ts';
import type { Course } from './course.ts';

export interface Device {
  rack: number;
  /** Of the gateway. */
  mqttUrl: string;
  httpUrl: string;
  localKey: string;
}

/** Messages of a device that the gateway has not acknowledged. */
const IN_FLIGHT = 4;
const RETRY_MS = 500;

/** Publishes with QoS 1 until the round ends, and what is not acknowledged again. */
export async function runMqttDevice(course: Course, { rack, mqttUrl, localKey }: Device): Promise<void> {
  const { ledger, tally, pauseMs, stop } = course;
  const options = { username: 'hall', password: localKey, clean: false, clientId: `device-${rack}` };
  const device = mqtt.connect(mqttUrl, { ...options, reconnectPeriod: RETRY_MS });
  // Cut connections are what this is about.
  device.on('error', () => undefined);
  while (!stop.signal.aborted) {
    await course.pause(randomInt(...pauseMs));
    let left = Array.from({ length: randomInt(1, IN_FLIGHT + 1) }, () => ledger.next(rack));
    // mqtt.js gives up what waits behind its retries when the connection is cut again, and that is always the end of a list.
    while (left.length > 0) {
      const begun = performance.now();
      const results = await Promise.allSettled(left.map((message) => publish(device, message)));
      const isLeft = (_: unknown, index: number) => results[index]?.status === 'rejected';
      const done = left.filter((message, index) => !isLeft(message, index));
      if (done.length > 0) acknowledge(course, done, begun);
      left = left.filter(isLeft);
      if (left.length > 0) tally.count('MQTT connection closed', performance.now() - begun);
    }
  }
  await device.endAsync();
}

function publish(device: mqtt.MqttClient, { reading }: NumberedReading): Promise<unknown> {
  const { rack, keg, value, timestamp } = reading;
  return device.publishAsync(`${rack}/${keg}`, JSON.stringify({ value, timestamp }), { qos: 1 });
}

/** Posts one reading after another until the round ends, each until it is acknowledged. */
export async function runHttpDevice(course: Course, { rack, httpUrl, localKey }: Device): Promise<void> {
  const { ledger, tally, pauseMs, stop } = course;
  const headers = { 'x-api-key': localKey, 'content-type': 'application/json' };
  while (!stop.signal.aborted) {
    await course.pause(randomInt(...pauseMs));
    const reading = ledger.next(rack);
    for (;;) {
      const begun = performance.now();
      const init = {
        method: 'POST',
        headers,
        body: JSON.stringify(reading.reading),
        signal: AbortSignal.timeout(60_000),
      };
      const status = await fetch(httpUrl + INGEST_PATH, init).then(
        async (response) => {
          await response.arrayBuffer();
          return response.status;
        },
        () => undefined,
      );
      if (status === 202) {
        acknowledge(course, [reading], begun);
        break;
      }
      tally.count(
        status === 503 ? '503 unavailable' : String(status ?? 'no response'),
        performance.now() - begun,
      );
      await course.pause(RETRY_MS);
    }
  }
}
