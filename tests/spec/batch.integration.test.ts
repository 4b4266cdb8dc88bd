import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { BATCH_PATH } from '@cellarman/contracts';
import { beforeAll, expect, test } from 'vitest';
import { signIn } from './client/owner.ts';
import type { Cellar } from './client/owner.ts';
import { send } from './client/ingest.ts';
import type { Answer } from './client/ingest.ts';
import { readingOf, secondsAgo } from './client/reading.ts';
import { waitForReadings } from './client/stored-readings.ts';
import { requirement } from './requirements/requirement.ts';

let cellar: Cellar;
let apiKey: string;

beforeAll(async () => {
  cellar = await (await signIn()).openCellar();
  apiKey = (await cellar.createKey()).secret;
});

const NDJSON = 'application/x-ndjson';
const serverTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/) as string;

function sendBatch(body: string | Buffer, contentType?: string, encoding?: string): Promise<Answer> {
  const headers: Record<string, string> = encoding === undefined ? {} : { 'content-encoding': encoding };
  return send(body, { apiKey, path: BATCH_PATH, contentType, headers });
}

test(
  requirement(
    ['batch.formats', 'batch.once', 'ingest.batch'],
    'one batch in every form is taken every time, and each of its readings is in the view once',
  ),
  async () => {
    const own = await (await signIn()).openCellar();
    const { secret } = await own.createKey();
    const readings = Array.from({ length: 500 }, (_, n) =>
      readingOf(own.name, { rack: `rack-${n % 7}`, value: n / 4, timestamp: secondsAgo(n) }),
    );
    const array = JSON.stringify(readings);
    const lines = readings.map((reading) => JSON.stringify(reading)).join('\n');
    const forms: [body: string | Buffer, contentType: string, encoding?: string][] = [
      [array, 'application/json'],
      [lines, NDJSON],
      [gzipSync(array), 'application/json', 'gzip'],
      [deflateSync(lines), NDJSON, 'deflate'],
      [brotliCompressSync(array), 'application/json', 'br'],
      [zstdCompressSync(lines), NDJSON, 'zstd'],
    ];
    for (const [body, contentType, encoding] of forms) {
      const headers: Record<string, string> = encoding === undefined ? {} : { 'content-encoding': encoding };
      const { status, body: answer } = await send(body, {
        apiKey: secret,
        path: BATCH_PATH,
        contentType,
        headers,
      });
      expect([status, answer]).toEqual([200, { status: 'success', accepted: 500, timestamp: serverTime }]);
    }
    // What is sent later is stored later in its partition: once it is there, the copies are too.
    const racks = Array.from({ length: 7 }, (_, n) => `rack-${n}`);
    const last = racks.map((rack) => readingOf(own.name, { rack, keg: 'last' }));
    await send(JSON.stringify(last), { apiKey: secret, path: BATCH_PATH });
    const rows = await waitForReadings(own.name, 507);
    const stored = rows.filter(({ keg }) => keg !== 'last').map(({ rack, value }) => `${rack} ${value}`);
    expect(stored.sort()).toEqual(readings.map(({ rack, value }) => `${rack} ${value}`).sort());
  },
);

test(
  requirement('batch.answers', 'readings that are none are listed by index, and the others are stored'),
  async () => {
    const good = readingOf(cellar.name, { rack: 'among-bad-ones' });
    const bad = { ...good, value: '7' };
    const { status, body } = await sendBatch(JSON.stringify([bad, good]));
    const error = {
      index: 0,
      error: '"value" must be a number, not a string',
      code: 'invalid_reading',
      retryable: false,
    };
    expect([status, body]).toEqual([
      207,
      { status: 'partial', accepted: 1, rejected: 1, timestamp: serverTime, errors: [error] },
    ]);
    const none = await sendBatch(JSON.stringify([bad]));
    expect([none.status, none.body]).toEqual([
      400,
      { status: 'partial', accepted: 0, rejected: 1, timestamp: serverTime, errors: [error] },
    ]);
    const rows = await waitForReadings(cellar.name, 1);
    expect(rows.map(({ rack }) => rack)).toEqual(['among-bad-ones']);
  },
);

test(
  requirement('batch.prefer', 'a client that is lenient gets a 200 where readings are rejected for good'),
  async () => {
    const good = readingOf(cellar.name, { rack: 'lenient' });
    const body = JSON.stringify([good, { ...good, value: '7' }]);
    const headers = { prefer: 'handling=lenient' };
    const answer = await send(body, { apiKey, path: BATCH_PATH, headers });
    expect(answer).toMatchObject({ status: 200, body: { accepted: 1, rejected: 1, errors: [{ index: 1 }] } });
    expect(answer.headers.get('preference-applied')).toBe('handling=lenient');
  },
);

test(
  requirement(['code.invalid_batch', 'code.invalid_encoding'], 'what is no batch is rejected whole'),
  async () => {
    expect(await sendBatch('{}')).toMatchObject({ status: 400, body: { code: 'invalid_batch' } });
    expect(await sendBatch('[]')).toMatchObject({ status: 400, body: { code: 'invalid_batch' } });
    expect(await sendBatch('[', NDJSON, 'gzip')).toMatchObject({
      status: 400,
      body: { code: 'invalid_encoding' },
    });
  },
);
