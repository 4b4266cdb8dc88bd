import { DEAD_LETTERS_PATH, REPLAYS_PATH } from '@cellarman/contracts';
import type { DeadLetter, Replay } from '@cellarman/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DeadLetterView } from '../../src/dead-letters/dead-letter-schema.ts';
import { join } from '../people.ts';
import { startServiceUnderTest } from '../service-under-test.ts';
import type { ServiceUnderTest } from '../service-under-test.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startServiceUnderTest();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.pool.query('DELETE FROM dead_letters');
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const letter = (offset: number, change: Partial<DeadLetter> = {}): DeadLetter => ({
  ...{ topic: 'readings', partition: 3, offset: String(offset), at: new Date().toISOString() },
  ...{ reason: 'not a JSON object', key: base64('demo/a'), value: base64(`payload ${offset}`) },
  ...{ size: 9, isTruncated: false, headers: { 'content-type': 'text/plain' } },
  ...change,
});

async function record(...deadLetters: DeadLetter[]): Promise<void> {
  const response = await service.internal('POST', DEAD_LETTERS_PATH, { deadLetters });
  expect(response).toMatchObject({ status: 204 });
}

async function list(query = '') {
  const response = await service.admin.call<{
    deadLetters: DeadLetterView[];
    nextCursor: string | null;
    counts: Record<string, number>;
  }>('GET', `/api/v1/dead-letters${query}`);
  expect(response.status).toBe(200);
  return response.body;
}

const decide = (what: 'replay' | 'discard', body: object) =>
  service.admin.call<{ selected: number; asOf?: string }>('POST', `/api/v1/dead-letters/${what}`, body);
const replays = async () => (await service.internal<{ replays: Replay[] }>('GET', REPLAYS_PATH)).body.replays;

test('owners see reason, origin and payload, newest first, page by page', async () => {
  await record(letter(1), letter(2, { reason: 'value is\u0000missing' }));
  const { deadLetters, nextCursor, counts } = await list('?limit=1');
  expect(deadLetters).toMatchObject([
    {
      reason: 'value is\ufffdmissing',
      preview: 'payload 2',
      origin: { topic: 'readings', partition: 3, offset: '2' },
      ...{ state: 'open', isTruncated: false, changedAt: null },
    },
  ]);
  expect(counts).toEqual({ open: 2, replaying: 0, replayed: 0, discarded: 0 });
  const second = await list(`?limit=1&cursor=${nextCursor ?? ''}`);
  expect(second).toMatchObject({ deadLetters: [{ preview: 'payload 1' }], nextCursor: null });
  const whole = await service.admin.call('GET', `/api/v1/dead-letters/${second.deadLetters[0]?.id ?? ''}`);
  expect(whole.body).toMatchObject({
    ...{ key: base64('demo/a'), value: base64('payload 1'), headers: { 'content-type': 'text/plain' } },
  });
  expect((await list('?reason=MISSING')).deadLetters).toHaveLength(1);
  expect(await service.admin.call('GET', '/api/v1/dead-letters/999999')).toMatchObject({ status: 404 });
});

test.each([
  [
    'the payload',
    { value: base64('{"cellar":"press","rack":"p-1","value":"x"}') },
    { cellar: 'press', rack: 'p-1' },
  ],
  ['the message key', { value: base64('not JSON') }, { cellar: 'demo', rack: 'a' }],
  ['neither', { key: base64('a key'), value: base64('{"cellar":"not a cellar","rack":"p-1"}') }, null],
  ['neither of bytes', { key: '/w==', value: '//4A' }, null],
])('cellar and rack are read from %s', async (_case, change, source) => {
  await record(letter(1, change));
  expect((await list()).deadLetters).toMatchObject([{ source }]);
});

test('replayed ones stay with the sink until it has reported them; the still invalid are open again', async () => {
  await record(letter(1), letter(2), letter(3, { isTruncated: true }));
  expect((await decide('replay', { dryRun: true })).body).toMatchObject({ selected: 2 });
  expect((await list()).counts).toMatchObject({ open: 3 });
  expect((await decide('replay', {})).body).toEqual({ selected: 2 });
  expect((await decide('replay', {})).body).toEqual({ selected: 0 });
  const first = await replays();
  expect(first).toMatchObject([{ value: base64('payload 1') }, { value: base64('payload 2') }]);
  // A sink that was killed has reported nothing.
  expect(await replays()).toEqual(first);

  const [one, two] = first.map(({ id }) => id);
  const results = [
    { id: one, rejected: null },
    { id: two, rejected: 'value: not a number' },
  ];
  const report = () => service.internal('POST', REPLAYS_PATH, { results });
  expect(await report()).toMatchObject({ status: 204 });
  expect(await report()).toMatchObject({ status: 204 });
  expect(await replays()).toEqual([]);
  expect((await list()).counts).toEqual({ open: 2, replaying: 0, replayed: 1, discarded: 0 });
  expect((await list()).deadLetters[1]).toMatchObject({ id: two, reason: 'value: not a number' });
});

test('what arrives or opens again after a dry run is left out', async () => {
  await record(letter(1), letter(2), letter(3));
  const [, second, first] = (await list()).deadLetters.map(({ id }) => id);
  await decide('replay', { ids: [second] });
  const late = await service.pool.connect();
  // A lower ID that becomes visible after the dry run.
  await late.query('BEGIN');
  await late.query(
    `INSERT INTO dead_letters (topic, partition, "offset", digest, at, reason, key, value, size, is_truncated, headers)
     VALUES ('readings', 3, 4, '\\x00', now(), 'late', '\\x', '\\x', 0, false, '{}')`,
  );
  const { asOf } = (await decide('discard', { dryRun: true })).body;
  await late.query('COMMIT');
  late.release();
  await record(letter(5));
  await service.internal('POST', REPLAYS_PATH, { results: [{ id: second, rejected: 'still no reading' }] });
  await decide('replay', { ids: [first] });

  expect((await decide('discard', { dryRun: true })).body).toMatchObject({ selected: 4 });
  expect((await decide('discard', { dryRun: true, asOf })).body).toEqual({ selected: 1, asOf });
  expect((await decide('discard', { asOf })).body).toEqual({ selected: 1 });
  expect((await list('?state=discarded')).deadLetters).toMatchObject([{ preview: 'payload 3' }]);
  expect(await decide('discard', { asOf: '9:3:' })).toMatchObject({ status: 400 });
});

test('a letter that is copied again keeps what was decided about it', async () => {
  await record(letter(1), letter(2));
  expect((await decide('discard', {})).body).toEqual({ selected: 2 });
  await record(letter(1), letter(2));
  expect((await list()).counts).toEqual({ open: 0, replaying: 0, replayed: 0, discarded: 2 });
  // The topic was created again.
  await record(letter(1, { value: base64('another payload') }));
  expect((await list()).counts).toMatchObject({ open: 1 });
});

test('one, or those with a reason, are selected, and the audit log says who decided', async () => {
  await record(letter(1, { reason: 'no value' }), letter(2), letter(3));
  const [newest] = (await list()).deadLetters;
  expect((await decide('discard', { ids: [newest?.id] })).body).toEqual({ selected: 1 });
  expect((await decide('replay', { reason: 'no VALUE' })).body).toEqual({ selected: 1 });
  const { body } = await service.admin.call<{ entries: object[] }>('GET', '/api/v1/audit?limit=2');
  expect(body.entries).toMatchObject([
    { action: 'dead_letters.replayed', details: { count: 1, reason: 'no VALUE' } },
    { action: 'dead_letters.discarded', details: { count: 1, ids: [newest?.id] } },
  ]);
});

test('members see none of it', async () => {
  const { client } = await join(service, { role: 'member', cellars: [] });
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/1'],
    ['POST', '/replay'],
    ['POST', '/discard'],
  ] as const) {
    const body = method === 'POST' ? {} : undefined;
    expect(await client.call(method, `/api/v1/dead-letters${path}`, body)).toMatchObject({ status: 403 });
  }
});

test('those of the last 30 days are kept', async () => {
  await record(letter(1, { at: new Date(Date.now() - 31 * 86_400_000).toISOString() }), letter(2));
  const { createDeadLettersRepository } = await import('../../src/dead-letters/dead-letters-repository.ts');
  const query = async (text: string, values?: readonly unknown[]) =>
    (await service.pool.query<object>(text, values === undefined ? undefined : [...values])).rows;
  await createDeadLettersRepository({ database: { query } as never }).prune();
  expect((await list()).deadLetters).toMatchObject([{ preview: 'payload 2' }]);
});
