import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { openRawSocket, parseAnswers } from '../raw-socket.ts';
import type { RawSocket } from '../raw-socket.ts';
import { post, reading, startTestApp } from '../ingest-app.ts';
import type { TestApp } from '../ingest-app.ts';

const PLACES = 40;
const FLOOD_CONNECTIONS = 200;
const GOOD_READINGS = 20;

let app: TestApp;
let sockets: RawSocket[] = [];

afterEach(async () => {
  for (const { socket } of sockets) socket.destroy();
  sockets = [];
  await app.close();
});

/** Kafka that needs its time for each reading. */
const slowLanes = {
  publish: () => delay(20),
  publishGroup: () => Promise.reject(new Error('no batches here')),
};

/** A client that sends again as soon as it has its response, whatever the status. */
async function floodFrom(apiKey: string, statuses: Map<number, number>): Promise<void> {
  const raw = await openRawSocket(app.port);
  sockets.push(raw);
  const body = JSON.stringify(reading());
  const send = () =>
    raw.send(
      `POST /api/v1/ingest HTTP/1.1\r\nHost: test\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  raw.socket.on('data', (answer) => {
    const [{ status } = { status: 0 }] = parseAnswers(answer.toString());
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    send();
  });
  send();
}

it('a key that floods the service takes no slot from one that requests less than its share', async () => {
  app = await startTestApp({ config: { MAX_IN_FLIGHT_REQUESTS: PLACES }, lanes: slowLanes });
  const [flood, good] = [app.keyService.addKey(), app.keyService.addKey()];
  // Both keys are known before the flood.
  for (const key of [flood, good]) expect((await post(app.url, key, reading())).status).toBe(200);
  const statuses = new Map<number, number>();
  const rejected = () => statuses.get(503) ?? 0;
  await Promise.all(Array.from({ length: FLOOD_CONNECTIONS }, () => floodFrom(flood, statuses)));
  await expect.poll(rejected).toBeGreaterThan(FLOOD_CONNECTIONS);

  const rejectedBefore = rejected();
  const answers: number[] = [];
  for (let sent = 0; sent < GOOD_READINGS; sent++)
    answers.push((await post(app.url, good, reading())).status);

  expect(answers).toEqual(Array<number>(GOOD_READINGS).fill(200));
  expect(rejected()).toBeGreaterThan(rejectedBefore);
  // The flood is not shut out: it has what the good key leaves.
  expect(statuses.get(200)).toBeGreaterThan(GOOD_READINGS);
  expect([...statuses.keys()].sort()).toEqual([200, 503]);
});
