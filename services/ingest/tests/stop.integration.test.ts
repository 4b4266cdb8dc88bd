import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { reading } from './ingest-app.ts';
import { startOnEngines } from './started-ingest.ts';
import type { StartedIngest } from './started-ingest.ts';

let ingest: StartedIngest;
let apiKey: string;

beforeAll(async () => {
  ingest = await startOnEngines(inject('engines'), { DEREGISTRATION_DELAY_MS: 500 });
  apiKey = ingest.keyService.addKey();
});
afterAll(() => ingest.removeTopic());

/** Posts over a kept connection, as a gateway does. */
function postOver(agent: Agent, rack: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
    const sent = request(`${ingest.url}/api/v1/ingest`, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response));
    });
    sent.once('error', reject);
    sent.end(JSON.stringify(reading({ rack })));
  });
}

it('serves on until load balancers know, then ends, and has stored all that it acknowledged', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const before = await postOver(agent, 'before');
  expect([before.statusCode, before.headers.connection]).toEqual([200, 'keep-alive']);

  const stopped = ingest.stop();
  await expect.poll(async () => (await fetch(`${ingest.url}/readyz`)).status).toBe(503);
  const during = await postOver(agent, 'during');
  expect([during.statusCode, during.headers.connection]).toEqual([200, 'close']);

  await stopped;
  await expect(postOver(agent, 'after')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  agent.destroy();
  expect((await ingest.stored()).map(({ key }) => key).sort()).toEqual(['demo/before', 'demo/during']);
  const reports = ingest.keyService.healthReports;
  expect(reports.at(-1)).toMatchObject({ isStopping: true, accepted: 2, failingPartitions: [] });
  expect(reports.at(-1)?.acknowledgeMs?.p99).toBeGreaterThan(0);
  expect(new Set(reports.map(({ process }) => process)).size).toBe(1);
  expect(ingest.keyService.uses.map(({ id }) => id)).toEqual([expect.stringMatching(/^key-/)]);
});
