import { BATCH_ENCODINGS } from '@cellarman/contracts';
import fc from 'fast-check';
import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reading, startTestApp } from '../ingest-app.ts';
import type { PublishedMessage, TestApp } from '../ingest-app.ts';
import { arbitraryBody } from '../scan/arbitrary-bodies.ts';
import { mutated } from '../scan/mutate-bytes.ts';
import { COMPRESS } from './send-batch.ts';

/*
 * A batch returns for each reading what the reading would get alone, and stores the same bytes. The oracle is the route for
 * single readings, called over HTTP at the same moment of a fixed clock.
 */

const timestamp = '2026-11-21T12:00:00.123Z';
const NOW = Date.parse(timestamp);
const agent = new Agent({ keepAlive: true });
let app: TestApp;
let apiKey: string;

beforeAll(async () => {
  app = await startTestApp({ now: () => NOW });
  apiKey = app.keyService.addKey({ rackPrefix: 'r' });
});
afterAll(async () => {
  agent.destroy();
  await app.close();
});

interface Answered {
  status: number;
  body: unknown;
  published: PublishedMessage[];
}

/** Sends chunks one after the other, so that the server reads them apart. */
async function send(path: string, chunks: Buffer[], headers: Record<string, string>): Promise<Answered> {
  const sent = request(app.url + path, {
    method: 'POST',
    agent,
    headers: { 'x-api-key': apiKey, ...headers },
  });
  const answered = new Promise<Answered>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      json(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, body, published: app.published.splice(0) }),
        reject,
      );
    });
  });
  for (const chunk of chunks) {
    sent.write(chunk);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  sent.end();
  return answered;
}

function single(body: Buffer): Promise<Answered> {
  return send('/api/v1/ingest', [body], { 'content-type': 'application/json' });
}

const good = fc
  .record({
    rack: fc.constantFrom('r1', 'r2', 'rück', 'other'),
    value: fc.double({ noDefaultInfinity: true, noNaN: true }),
    cellar: fc.constantFrom('demo', 'demo', 'demo', 'else'),
    timestamp: fc.constantFrom('2026-11-21T11:59:00Z', '2026-11-21T12:00:00.5Z', '1999-01-01T00:00:00Z'),
  })
  .map((fields) => Buffer.from(JSON.stringify(reading(fields))));
const maybeReading = fc.oneof({ weight: 3, arbitrary: good }, mutated(arbitraryBody));
const bodies = fc.array(maybeReading, { maxLength: 12 });

/** Where the body is cut into chunks, as fractions of its length. */
const cuts = fc.array(fc.nat(999), { maxLength: 4 });
const encoding = fc.constantFrom('identity', ...BATCH_ENCODINGS);

function sendBatch(body: Buffer, type: string, coding: string, places: number[]): Promise<Answered> {
  const bytes = coding === 'identity' ? body : COMPRESS[coding as 'gzip'](body);
  const ends = [...new Set(places)]
    .sort((a, b) => a - b)
    .map((at) => Math.floor((bytes.length * at) / 1_000));
  const chunks = [0, ...ends].map((start, n) => bytes.subarray(start, ends[n] ?? bytes.length));
  const headers = { 'content-type': type, 'content-encoding': coding };
  return send(
    '/api/v1/ingest/batch',
    chunks.filter(({ length }) => length > 0),
    headers,
  );
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** The responses to single readings, combined into the response to a batch of them. */
async function oracle(readings: Buffer[]): Promise<Answered> {
  const alone: Answered[] = [];
  for (const body of readings) alone.push(await single(body));
  const errors = alone.flatMap(({ status, body }, index) => {
    const { error, code } = body as { error: string; code: string };
    return status === 200 ? [] : [{ index, error, code, retryable: false }];
  });
  const accepted = alone.length - errors.length;
  const published = alone.flatMap((answer) => answer.published);
  if (errors.length === 0)
    return { status: 200, body: { status: 'success', accepted, timestamp }, published };
  const body: unknown = { status: 'partial', accepted, rejected: errors.length, timestamp, errors };
  return { status: accepted === 0 ? 400 : 207, body, published };
}

const seen = { success: 0, partial: 0, none: 0, broken: 0 };
function count({ status, body }: Answered): void {
  if (status === 200) seen.success++;
  else if (status === 207) seen.partial++;
  else if ('errors' in (body as object)) seen.none++;
  else seen.broken++;
}

test('lines get what each would get alone', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      bodies,
      encoding,
      cuts,
      fc.constantFrom('\n', '\r\n', '\n \n\n'),
      async (list, ...how) => {
        const [coding, places, separator] = how;
        const lines = list.map((body) => Buffer.from(body.map((byte) => (byte === 0x0a ? 0x20 : byte))));
        const whole = Buffer.concat(lines.flatMap((line) => [line, Buffer.from(separator)]));
        const answer = await sendBatch(whole, 'application/x-ndjson', coding, places);
        // A carriage return ends the line of a single reading too, so that it names the same byte.
        const end = separator.startsWith('\r') ? '\r' : '';
        const readings = lines.filter((line) => /[^ \t\r]/.test(line.toString('latin1')));
        count(answer);
        if (readings.length === 0) {
          expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_batch' } });
          return;
        }
        expect(answer).toEqual(await oracle(readings.map((line) => Buffer.concat([line, Buffer.from(end)]))));
      },
    ),
    { numRuns: 150 },
  );
  expect(seen.success).toBeGreaterThan(0);
  expect(seen.partial).toBeGreaterThan(0);
});

test(
  'the readings of an array get what each would get alone, or the array is no JSON',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(bodies, fc.boolean(), encoding, cuts, async (list, keepBroken, coding, places) => {
        const members = keepBroken ? list : list.filter(isJson);
        const joined = members.flatMap((body, n) => (n === 0 ? [body] : [Buffer.from(','), body]));
        const whole = Buffer.concat([Buffer.from('['), ...joined, Buffer.from(']')]);
        const answer = await sendBatch(whole, 'application/json', coding, places);
        count(answer);
        if (!isJson(whole)) {
          expect(answer).toMatchObject({
            status: 400,
            body: { status: 'error', code: 'invalid_json' },
            published: [],
          });
        } else if ((JSON.parse(whole.toString()) as unknown[]).length === 0) {
          expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_batch' } });
        } else if (members.every(isJson)) {
          expect(answer).toEqual(await oracle(members));
        }
      }),
      { numRuns: 150 },
    );
    // A generator that lost its balance would test little.
    expect(Math.min(seen.success, seen.none, seen.broken), JSON.stringify(seen)).toBeGreaterThan(0);
  },
);
