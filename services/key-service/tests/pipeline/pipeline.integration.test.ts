import { INGEST_HEALTH_PATH, SINK_HEALTH_PATH } from '@cellarman/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PipelineStatus, PipelineView } from '../../src/pipeline/pipeline-schema.ts';
import { createApiClient } from '../api-client.ts';
import { join } from '../people.ts';
import { ADMIN, startServiceUnderTest } from '../service-under-test.ts';
import type { ServiceUnderTest } from '../service-under-test.ts';
import { ingestHealth, partition, sinkHealth } from './health-reports.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startServiceUnderTest({ RUNBOOK_BASE_URL: 'https://runbooks.example.com' });
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.pool.query('DELETE FROM replica_reports');
  await service.pool.query('DELETE FROM pipeline_history');
});

const report = (path: string, body: object) => service.internal('POST', path, body);
const pipeline = async () => (await service.admin.call<PipelineView>('GET', '/api/v1/pipeline')).body;
const lagging = (...lags: number[]) => lags.map((lag, number) => partition(number, { lag }));
/** Requests within a second share a result. */
const eventually = (look: () => Promise<unknown>) => expect.poll(look, { timeout: 10_000 });
const age = (interval: string) =>
  service.pool.query(`UPDATE replica_reports SET reported_at = reported_at - interval '${interval}'`);

test('what replicas report is what owners see, at every replica of key-service', async () => {
  const [ingest, sink] = [ingestHealth(), sinkHealth()];
  expect(await report(INGEST_HEALTH_PATH, ingest)).toMatchObject({ status: 204 });
  expect(await report(SINK_HEALTH_PATH, sink)).toMatchObject({ status: 204 });
  await eventually(pipeline).toMatchObject({
    ...{ state: 'ok', problems: [], behindSeconds: 0.24, runbookBaseUrl: 'https://runbooks.example.com' },
    ingest: { acceptedPerSecond: 50, replicas: [{ process: ingest.process, state: 'ready' }] },
    sink: { storedPerSecond: 50, replicas: [{ process: sink.process, state: 'ready' }] },
    kafka: { partitions: [{ partition: 0, sink: sink.host }, { partition: 1 }] },
  });
  const other = await service.startReplica();
  const client = await createApiClient(other.url);
  await client.signIn(ADMIN.email, ADMIN.password);
  const seen = await client.call<PipelineView>('GET', '/api/v1/pipeline');
  expect(seen.body.ingest.replicas).toMatchObject([{ process: ingest.process }]);
  await other.stop();
});

test('a later report replaces the one before it, and the last one removes the replica', async () => {
  const ingest = ingestHealth();
  await report(INGEST_HEALTH_PATH, ingest);
  await report(INGEST_HEALTH_PATH, { ...ingest, accepted: 3_000 });
  await eventually(async () => (await pipeline()).ingest.acceptedPerSecond).toBe(100);
  await report(INGEST_HEALTH_PATH, { ...ingest, isStopping: true });
  await eventually(async () => (await pipeline()).ingest.replicas).toEqual([]);
});

test('a killed replica is silent, until its successor on the same host reports', async () => {
  const [killed, sink] = [ingestHealth(), sinkHealth()];
  await report(INGEST_HEALTH_PATH, killed);
  await age('25 seconds');
  await report(SINK_HEALTH_PATH, sink);
  await eventually(pipeline).toMatchObject({
    ...{ state: 'bad', problem: 'Ingest does not report' },
    ingest: { replicas: [{ process: killed.process, state: 'silent', acceptedPerSecond: null }] },
  });
  const successor = ingestHealth({ host: killed.host });
  await report(INGEST_HEALTH_PATH, successor);
  await eventually(pipeline).toMatchObject({
    state: 'ok',
    ingest: { replicas: [{ process: successor.process, state: 'ready' }] },
  });
});

test(
  'the history has the rates of all replicas, and the highest delay and lag of each step',
  { timeout: 60_000 },
  async () => {
    const history = async (range: string) => {
      const path = `/api/v1/pipeline/history?range=${range}`;
      const { status, body } = await service.admin.call<{ stepSeconds: number; points: object[] }>(
        'GET',
        path,
      );
      expect(status).toBe(200);
      return body;
    };
    const sink = sinkHealth({ stored: 3_000 });
    const left = `SELECT 30 - extract(epoch FROM now() - date_bin('30 seconds', now(), 'epoch'))::int AS left`;
    // All reports belong to one step.
    await expect
      .poll(async () => (await service.pool.query<{ left: number }>(left)).rows[0]?.left, { timeout: 30_000 })
      .toBeGreaterThan(10);
    await report(INGEST_HEALTH_PATH, ingestHealth());
    await report(INGEST_HEALTH_PATH, ingestHealth());
    await report(SINK_HEALTH_PATH, {
      ...sink,
      behindMs: 4_000,
      topic: { ageMs: 1, partitions: lagging(3, 4) },
    });
    await report(SINK_HEALTH_PATH, { ...sink, behindMs: null, topic: null });
    await service.pool.query(`UPDATE pipeline_history SET step = date_bin('1 hour', now(), 'epoch')`);
    const point = {
      ...{ acceptedPerSecond: 100, rejectedPerSecond: 2, failedPerSecond: 0, storedPerSecond: 100 },
      ...{ behindSeconds: 4, lag: 7 },
    };
    expect(await history('hour')).toMatchObject({ stepSeconds: 30, points: [point] });

    // In the step before: without the sink, which is unknown and not zero.
    await service.pool.query(`INSERT INTO pipeline_history (step, process, accepted)
    SELECT step - interval '30 seconds', process, 40 FROM pipeline_history WHERE accepted IS NOT NULL`);
    const before = { acceptedPerSecond: 80, storedPerSecond: null, behindSeconds: null, lag: null };
    expect((await history('day')).points).toMatchObject([before, point]);

    await service.pool.query(`UPDATE pipeline_history SET step = step - interval '2 days'`);
    expect((await history('day')).points).toEqual([]);
    expect((await history('week')).points).not.toEqual([]);
  },
);

test('two processes on one host are two replicas', async () => {
  const first = ingestHealth();
  await report(INGEST_HEALTH_PATH, first);
  await report(INGEST_HEALTH_PATH, ingestHealth({ host: first.host }));
  await report(INGEST_HEALTH_PATH, first);
  await eventually(async () => (await pipeline()).ingest.replicas).toHaveLength(2);
});

test('members see how far storage is behind, and nothing of the installation', async () => {
  await report(INGEST_HEALTH_PATH, ingestHealth());
  await report(SINK_HEALTH_PATH, sinkHealth({ behindMs: 12_000 }));
  const { client } = await join(service, { role: 'member', cellars: [] });
  const status = async () => (await client.call<PipelineStatus>('GET', '/api/v1/pipeline/status')).body;
  await eventually(status).toEqual({
    ...{ state: 'warn', behindSeconds: 12, problem: 'Storage is behind' },
    runbook: 'CellarmanSinkIsBehind',
  });
  expect(await client.call('GET', '/api/v1/pipeline')).toMatchObject({ status: 403 });
  expect(await service.anonymous.call('GET', '/api/v1/pipeline/status')).toMatchObject({ status: 401 });
});

test('a report of another shape is rejected, one with a new field is not', async () => {
  expect(await report(INGEST_HEALTH_PATH, { ...ingestHealth(), accepted: -1 })).toMatchObject({
    status: 400,
  });
  expect(await report(INGEST_HEALTH_PATH, { ...ingestHealth(), ofALaterVersion: 1 })).toMatchObject({
    status: 204,
  });
});
