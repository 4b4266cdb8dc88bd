import { BATCH_PATH, INGEST_PATH, READINGS_TOPIC } from '@cellarman/contracts';
import { readRange } from '@cellarman/kafka';
import fc from 'fast-check';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { expectDocumented } from '../../services/ingest/tests/documented-response.ts';
import type { RawResponse } from '../../services/ingest/tests/documented-response.ts';
import { judge } from '../../services/ingest/tests/scan/strict-oracle.ts';
import { signIn } from '../spec/client/owner.ts';
import { storedReadings } from '../spec/client/stored-readings.ts';
import { arbitraryHeaders, arbitraryReadings } from './arbitrary-readings.ts';

/*
 * Any bytes and any headers to a running product. An oracle that shares no line with the scanner says what may be stored;
 * in the end the topic and the view must hold exactly that, to the bit.
 */

const AT_ONCE = 20;
let cellar: string;
let apiKey: string;
let pool: Pool;
const begun = Date.now();
/** Readings with the response 200. */
const acknowledged = new Set<string>();

beforeAll(async () => {
  const rateLimit = { perSecond: 1_000_000, burst: 10_000_000 };
  const opened = await (await signIn()).openCellar({ rateLimit });
  cellar = opened.name;
  apiKey = (await opened.createKey()).secret;
  pool = new Pool(inject('product').ingestUrl, { connections: AT_ONCE });
});
afterAll(() => pool.close());

/** A documented response, and no failure of the service. */
function expectNoFailure(path: string, response: RawResponse): void {
  expect(response.status).toBeLessThan(500);
  expectDocumented(path, response);
}

async function post(
  body: Buffer,
  headers: Record<string, string> = {},
  path: string = INGEST_PATH,
): Promise<RawResponse> {
  const answer = await pool.request({
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey, ...headers },
    body,
  });
  return {
    status: answer.statusCode,
    contentType: answer.headers['content-type'] as string | undefined,
    body: await answer.body.text(),
  };
}

interface BatchBody {
  accepted: number;
  errors?: { index: number }[];
}

interface Fields {
  rack: string;
  keg: string;
  value: number;
  timestamp: string;
}

/** The five fields, as a text that is the same for equal readings only. */
function identity({ rack, keg, value, timestamp }: Fields): string {
  const time = timestamp.replace('T', ' ').replace('Z', '').padEnd(20, '.').padEnd(29, '0');
  return JSON.stringify([rack, keg, value + 0, time]);
}

/** Whether it may be stored, by the oracle, the time and the key. */
function mayBeStored(body: Buffer): Fields | undefined {
  const verdict = judge(body);
  if (verdict.code !== 'accepted') return undefined;
  const fields = Object.fromEntries([...verdict.members].map(([name, { value }]) => [name, value]));
  const age = Date.now() - verdict.timestampMs;
  if (fields['cellar'] !== cellar || age < -299_000 || age > 89 * 86_400_000) return undefined;
  return fields as unknown as Fields;
}

test('any bytes: what is a reading is stored, all else gets its documented response', async () => {
  let stored = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryReadings(cellar), { minLength: 1, maxLength: AT_ONCE }), (bodies) =>
      Promise.all(
        bodies.map(async (body) => {
          const answer = await post(body);
          expectNoFailure(INGEST_PATH, answer);
          const reading = mayBeStored(body);
          expect([answer.status === 200, answer.body]).toEqual([reading !== undefined, answer.body]);
          if (reading === undefined) return;
          stored++;
          acknowledged.add(identity(reading));
        }),
      ).then(() => undefined),
    ),
    { numRuns: 250 },
  );
  // It would be no test if hardly anything were stored.
  expect(stored).toBeGreaterThan(250);
});

test('any lines: a batch stores those that are readings, and names the others', async () => {
  let stored = 0;
  const line = arbitraryReadings(cellar)
    .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0x0a)))
    .filter((bytes) => bytes.some((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0d));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 40 }), async (lines) => {
      const body = Buffer.concat(lines.flatMap((bytes) => [bytes, Buffer.from('\n')]));
      const answer = await post(body, { 'content-type': 'application/x-ndjson' }, BATCH_PATH);
      expectNoFailure(BATCH_PATH, answer);
      const { accepted, errors = [] } = JSON.parse(answer.body) as BatchBody;
      const readings = lines.map(mayBeStored);
      const rejected = readings.flatMap((reading, index) => (reading === undefined ? [index] : []));
      expect([accepted, errors.map(({ index }) => index)]).toEqual([
        lines.length - rejected.length,
        rejected,
      ]);
      expect(answer.status).toBe(rejected.length === 0 ? 200 : accepted === 0 ? 400 : 207);
      for (const reading of readings) if (reading !== undefined) acknowledged.add(identity(reading));
      stored += accepted;
    }),
    { numRuns: 150 },
  );
  expect(stored).toBeGreaterThan(100);
});

test('any headers: a good body is stored or gets a documented response', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(arbitraryHeaders, async (headers) => {
      const timestamp = `${new Date().toISOString().slice(0, 19)}Z`;
      const reading = { cellar, rack: 'headers', keg: 'number', value: number++, timestamp };
      const answer = await post(Buffer.from(JSON.stringify(reading)), headers);
      expectNoFailure(INGEST_PATH, answer);
      if (answer.status === 200) acknowledged.add(identity(reading));
    }),
    { numRuns: 600 },
  );
  expect(number).toBeGreaterThanOrEqual(600);
});

test('the topic and the view hold exactly what was acknowledged', async () => {
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const connection = { brokers: inject('product').kafkaBrokers, clientId: 'hostile-tests', logger: silent };
  const range = { from: { timestampMs: begun - 60_000 }, to: 'end' } as const;
  const published = new Set<string>();
  for await (const batch of readRange({ connection, topic: READINGS_TOPIC, ...range })) {
    for (const { key, value } of batch.messages) {
      if (key?.toString().startsWith(`${cellar}/`) !== true) continue;
      published.add(identity(JSON.parse(value?.toString() ?? '') as Fields));
    }
  }
  expect(difference(published, acknowledged)).toEqual({ more: [], less: [] });

  await vi.waitFor(
    async () => {
      const rows = await storedReadings(cellar);
      expect(difference(new Set(rows.map(identity)), acknowledged)).toEqual({ more: [], less: [] });
      expect(rows).toHaveLength(acknowledged.size);
    },
    { timeout: 60_000, interval: 250 },
  );
});

function difference(found: Set<string>, wanted: Set<string>) {
  return {
    more: [...found].filter((one) => !wanted.has(one)).slice(0, 5),
    less: [...wanted].filter((one) => !found.has(one)).slice(0, 5),
  };
}
