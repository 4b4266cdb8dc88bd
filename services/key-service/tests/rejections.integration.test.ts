import { randomUUID } from 'node:crypto';
import { REJECTIONS_PATH } from '@cellarman/contracts';
import type { Rejected } from '@cellarman/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type {
  RejectionBucket,
  RejectionMinute,
  RejectionView,
  UnauthenticatedBucket,
} from '../src/rejections/rejection-schema.ts';
import { makeCellar, makeKey } from './made.ts';
import type { MadeKey } from './made.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

const HOUR_MS = 3_600_000;
let service: ServiceUnderTest;
let cellar: string;
let key: MadeKey;

beforeAll(async () => {
  service = await startServiceUnderTest();
});
afterAll(() => service.stop());
beforeEach(async () => {
  cellar = (await makeCellar(service)).name;
  key = await makeKey(service, cellar, { name: 'boiler house' });
});

const rejected = (change: Partial<Rejected> = {}): Rejected => ({
  ...{ keyId: key.id, code: 'invalid_reading', field: 'value', rack: null, count: 1, agoMs: 0 },
  ...change,
});

async function report(sequence: number, rejections: Rejected[], reporter = randomUUID()): Promise<void> {
  const answer = await service.internal('POST', REJECTIONS_PATH, {
    reporter,
    sequence,
    refusals: rejections,
  });
  expect(answer.status).toBe(204);
}

async function list(query = ''): Promise<RejectionView[]> {
  const path = `/api/v1/cellars/${cellar}/rejections${query}`;
  const { status, body } = await service.admin.call<{ rejections: RejectionView[] }>('GET', path);
  expect(status).toBe(200);
  return body.rejections;
}

async function counts(query: string): Promise<RejectionBucket[]> {
  const path = `/api/v1/cellars/${cellar}/rejections/counts${query}`;
  const { status, body } = await service.admin.call<{ buckets: RejectionBucket[] }>('GET', path);
  expect(status).toBe(200);
  return body.buckets;
}

test('people see what was rejected, by key, code and field, the last first', async () => {
  await report(1, [
    rejected({ count: 3, agoMs: 120_000 }),
    rejected({ code: 'timestamp_out_of_range', field: 'timestamp', rack: 'boiler-7' }),
    rejected({ code: 'key_expired', field: null, agoMs: 60_000 }),
  ]);
  const { id, name, displayPrefix } = key;
  const lastAt = expect.any(String) as string;
  const of = { key: { id, name, displayPrefix }, rack: null, detail: null, lastAt };
  expect(await list()).toEqual([
    { ...of, code: 'timestamp_out_of_range', field: 'timestamp', rack: 'boiler-7', count: 1 },
    { ...of, code: 'key_expired', field: null, count: 1 },
    { ...of, code: 'invalid_reading', field: 'value', count: 3 },
  ]);
  expect(await service.admin.call('GET', `/api/v1/cellars/${cellar}`)).toMatchObject({
    body: { rejectedLastHour: 5 },
  });
  expect((await list('?limit=1')).map(({ code }) => code)).toEqual(['timestamp_out_of_range']);
});

test('the list can be that of one rack', async () => {
  await report(1, [
    rejected({ rack: 'boiler/7', count: 2, agoMs: 180_000 }),
    rejected({ rack: 'boiler-8', count: 3 }),
    rejected({ code: 'rate_limited', field: null, rack: null }),
  ]);
  expect(await list('?rack=boiler%2F7')).toMatchObject([{ rack: 'boiler/7', count: 2 }]);
  expect(await list('?rack=boiler')).toEqual([]);
});

test('people see the last minutes, each kind in each of them', async () => {
  await report(1, [
    rejected({ count: 3, agoMs: 120_000 }),
    rejected({ count: 2, rack: 'boiler-7' }),
    rejected({ count: 9, agoMs: HOUR_MS }),
  ]);
  const path = `/api/v1/cellars/${cellar}/rejections/minutes`;
  const { body } = await service.admin.call<{ rejections: RejectionMinute[] }>('GET', path);
  const counted = body.rejections.map(({ count, rack, field }) => [count, rack, field]);
  expect(counted).toEqual([
    [2, 'boiler-7', 'value'],
    [3, null, 'value'],
  ]);
  expect(body.rejections.every(({ minute, lastAt }) => minute <= lastAt)).toBe(true);
  const one = await service.admin.call<{ rejections: unknown[] }>('GET', `${path}?minutes=1&limit=1`);
  expect(one.body.rejections.length).toBeLessThanOrEqual(1);
});

test('a report that comes again counts once, and those of several replicas add up', async () => {
  const [one, two] = [randomUUID(), randomUUID()];
  await report(1, [rejected({ count: 2, rack: 'first', agoMs: 50 })], one);
  await report(1, [rejected({ count: 2, rack: 'first', agoMs: 50 })], one);
  await Promise.all([
    report(2, [rejected({ count: 5, rack: 'last' })], one),
    report(1, [rejected({ count: 10, agoMs: 5_000 })], two),
  ]);
  expect(await list()).toMatchObject([{ count: 17, rack: 'last' }]);
});

test('several of one kind in a report add up', async () => {
  await report(1, [rejected({ count: 2 }), rejected({ count: 3 })]);
  expect(await list()).toMatchObject([{ count: 5 }]);
});

test('a key that does not exist is left out, and so is one of another cellar', async () => {
  const other = await makeKey(service, (await makeCellar(service)).name);
  await report(1, [
    rejected({ keyId: randomUUID() }),
    rejected({ keyId: 'no-uuid' }),
    rejected({ keyId: other.id }),
  ]);
  expect(await list()).toEqual([]);
});

test('counts are by time and code, and add up to what was reported', async () => {
  await report(1, [
    rejected({ count: 4, agoMs: HOUR_MS / 2 }),
    rejected({ count: 1, agoMs: HOUR_MS / 2, field: 'keg' }),
    rejected({ count: 7, code: 'rate_limited', field: null }),
  ]);
  const minutes = await counts('?hours=2&step=60');
  expect(minutes.map(({ code, rejected: n }) => [code, n])).toEqual([
    ['invalid_reading', 5],
    ['rate_limited', 7],
  ]);
  expect(minutes.every(({ at }) => Date.parse(at) % 60_000 === 0)).toBe(true);
  const days = await counts('?hours=48&step=86400');
  expect(days.reduce((sum, { rejected: n }) => sum + n, 0)).toBe(12);
  expect(days.every(({ at }) => Date.parse(at) % 86_400_000 === 0)).toBe(true);
});

test('what is older than requested is not shown', async () => {
  await report(1, [rejected()]);
  await service.pool.query(
    `UPDATE refusals SET minute = minute - interval '3 hours', last_at = last_at - interval '3 hours'
     WHERE cellar = $1`,
    [cellar],
  );
  expect(await list('?hours=2')).toEqual([]);
  expect(await list('?hours=4')).toHaveLength(1);
});

test('a report that is none is rejected whole', async () => {
  const rejections = [rejected(), { ...rejected(), code: 'NOT A CODE' }];
  const answer = await service.internal('POST', REJECTIONS_PATH, {
    ...{ reporter: randomUUID(), sequence: 1, refusals: rejections },
  });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(await list()).toEqual([]);
});

test('the last detail of each kind is shown, and one key can be selected', async () => {
  const other = await makeKey(service, cellar);
  await report(1, [rejected({ detail: 'first', agoMs: 60_000 }), rejected({ detail: 'last' })]);
  await report(1, [rejected({ agoMs: 1 }), rejected({ keyId: other.id })]);
  expect(await list(`?key=${key.id}`)).toMatchObject([{ count: 3, detail: 'last' }]);
  expect(await list(`?key=${other.id}`)).toMatchObject([{ count: 1, detail: null }]);
  expect(await counts(`?key=${other.id}`)).toMatchObject([{ rejected: 1 }]);
});

test('requests without a known key are counted once, for owners', async () => {
  const path = '/api/v1/rejections/unauthenticated?step=86400';
  const unauthenticated = async () => {
    const { body } = await service.admin.call<{ buckets: UnauthenticatedBucket[] }>('GET', path);
    const of = (kind: 'missing' | 'unknown') => body.buckets.reduce((sum, bucket) => sum + bucket[kind], 0);
    return { missing: of('missing'), unknown: of('unknown') };
  };
  const before = await unauthenticated();
  const request = {
    ...{ reporter: randomUUID(), sequence: 1, refusals: [] },
    unauthenticated: { missing: 2, unknown: 5 },
  };
  for (let sent = 0; sent < 2; sent++) {
    expect((await service.internal('POST', REJECTIONS_PATH, request)).status).toBe(204);
  }
  expect(await unauthenticated()).toEqual({ missing: before.missing + 2, unknown: before.unknown + 5 });
});

test('a report of a later version may have more fields', async () => {
  const answer = await service.internal('POST', REJECTIONS_PATH, {
    ...{ reporter: randomUUID(), sequence: 1, refusals: [{ ...rejected(), later: 1 }], later: 1 },
  });
  expect(answer.status).toBe(204);
  expect(await list()).toHaveLength(1);
});
