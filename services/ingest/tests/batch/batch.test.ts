import { BATCH_ENCODINGS } from '@cellarman/contracts';
import { PublishError } from '@cellarman/kafka';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { post, reading, startTestApp } from '../ingest-app.ts';
import type { TestApp } from '../ingest-app.ts';
import { arrayOf, COMPRESS, linesOf, NDJSON, sendBatch } from './send-batch.ts';

let app: TestApp;
let apiKey: string;

async function start(options: Parameters<typeof startTestApp>[0] = {}): Promise<void> {
  app = await startTestApp(options);
  apiKey = app.keyService.addKey();
}
const readings = (count: number) => Array.from({ length: count }, (_, n) => reading({ rack: `r${n}` }));
const racks = () => app.published.map(({ value }) => (JSON.parse(value) as { rack: string }).rack);
const serverTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const rejection = (code: string) => ({ status: 'error', error: expect.any(String) as string, code });

describe('a batch', () => {
  beforeAll(() => start());
  beforeEach(() => void app.published.splice(0));
  afterAll(() => app.close());

  it.each([
    ['an array', arrayOf, {}],
    ['lines', linesOf, NDJSON],
  ])('as %s is stored in its order, each reading as if it had come alone', async (_name, format, headers) => {
    const sent = readings(3);
    const { status, body } = await sendBatch(app.url, apiKey, format(sent), headers);
    expect([status, body]).toEqual([200, { status: 'success', accepted: 3, timestamp: serverTime }]);
    expect(racks()).toEqual(['r0', 'r1', 'r2']);
    const [inBatch] = app.published.splice(0);
    expect((await post(app.url, apiKey, sent[0])).status).toBe(200);
    const [alone] = app.published;
    const withoutTime = (text = '') => text.replace(/"received_at":"[^"]*"/, '');
    expect({ ...inBatch, value: withoutTime(inBatch?.value) }).toEqual({
      ...alone,
      value: withoutTime(alone?.value),
    });
  });

  it('with readings that are none stores the others, and lists them by index', async () => {
    const sent = [
      reading({ value: '7' }),
      reading(),
      reading({ cellar: 'other' }),
      reading({ rack: 'last' }),
    ];
    const { status, headers, body } = await sendBatch(app.url, apiKey, arrayOf(sent));
    expect(status).toBe(207);
    expect(headers.get('retry-after')).toBeNull();
    expect(body).toEqual({
      status: 'partial',
      accepted: 2,
      rejected: 2,
      timestamp: serverTime,
      errors: [
        {
          index: 0,
          error: '"value" must be a number, not a string',
          code: 'invalid_reading',
          retryable: false,
        },
        {
          index: 2,
          error: 'The API key belongs to another cellar',
          code: 'cellar_mismatch',
          retryable: false,
        },
      ],
    });
    expect(racks()).toEqual(['boiler-1', 'last']);
  });

  it('with readings that are none is a 200 for a client that is lenient, and nobody else', async () => {
    const some = arrayOf([reading(), 7]);
    const answer = (prefer: string, sent = some) => sendBatch(app.url, apiKey, sent, { prefer });
    const { status, headers, body } = await answer('respond-async, Handling="lenient"; x=1');
    expect([status, headers.get('preference-applied')]).toEqual([200, 'handling=lenient']);
    expect(body).toMatchObject({ status: 'partial', accepted: 1, rejected: 1, errors: [{ index: 1 }] });
    for (const prefer of ['', 'handling=strict', 'return=representation', 'x="a, handling=lenient"']) {
      const { status: other, headers: told } = await answer(prefer);
      expect([prefer, other, told.get('preference-applied')]).toEqual([prefer, 207, null]);
    }
    expect((await answer('handling=lenient', arrayOf([7]))).status).toBe(400);
  });

  it('without a single good reading is a 400 with the same body', async () => {
    const { status, body } = await sendBatch(app.url, apiKey, arrayOf([reading({ value: null }), 7]));
    expect(status).toBe(400);
    expect(body).toMatchObject({
      status: 'partial',
      accepted: 0,
      rejected: 2,
      errors: [
        { index: 0, code: 'invalid_reading' },
        { index: 1, code: 'invalid_reading' },
      ],
    });
    expect(app.published).toEqual([]);
  });

  it.each([
    ['an empty array', ' [ ] ', {}, 'invalid_batch'],
    ['no line', '\n \r\n\n', NDJSON, 'invalid_batch'],
    ['a single reading', JSON.stringify(reading()), {}, 'invalid_batch'],
    ['an empty body', '', {}, 'invalid_json'],
    ['an empty body of lines', '', NDJSON, 'invalid_batch'],
  ])('that is %s is a 400', async (_name, text, headers, code) => {
    const { status, body } = await sendBatch(app.url, apiKey, text, headers);
    expect([status, body]).toEqual([400, rejection(code)]);
  });

  it.each(['', ',', '}', ',]', '] ]', '], 1', '"', ',"\u0001"]', ',nul]'])(
    'as an array that ends with %j is rejected whole, and nothing of it is stored',
    async (end) => {
      const { status, body } = await sendBatch(app.url, apiKey, `[${JSON.stringify(reading())}${end}`);
      expect([status, body]).toEqual([400, rejection('invalid_json')]);
      expect(app.published).toEqual([]);
    },
  );

  it('as lines loses only the lines that are broken', async () => {
    const good = JSON.stringify(reading());
    const text = `${good}\r\n\n${good.slice(0, -1)}\n{"a":\n  ${good}  \nx`;
    const { status, body } = await sendBatch(app.url, apiKey, text, NDJSON);
    expect(status).toBe(207);
    expect(body).toMatchObject({
      accepted: 2,
      rejected: 3,
      errors: [1, 2, 4].map((index) => ({ index, code: 'invalid_json' })),
    });
  });

  it.each(BATCH_ENCODINGS)('may be compressed with %s', async (encoding) => {
    const sent = COMPRESS[encoding](arrayOf(readings(500)));
    const headers = { 'content-encoding': encoding };
    expect((await sendBatch(app.url, apiKey, sent, headers)).body).toEqual({
      status: 'success',
      accepted: 500,
      timestamp: serverTime,
    });
    expect(racks()).toEqual(Array.from({ length: 500 }, (_, n) => `r${n}`));
  });

  it.each(BATCH_ENCODINGS)('that is cut, changed or followed by more in %s is a 400', async (encoding) => {
    const whole = COMPRESS[encoding](arrayOf(readings(50)));
    const more = COMPRESS[encoding](linesOf(readings(1)));
    const broken = [whole.subarray(0, -3), Buffer.from('[]'), Buffer.concat([whole, Buffer.from('x')])];
    // Members of gzip are one text; with the others Node would have ignored the second in silence.
    if (encoding !== 'gzip') broken.push(Buffer.concat([whole, more]));
    for (const sent of broken) {
      const { status, body } = await sendBatch(app.url, apiKey, sent, { 'content-encoding': encoding });
      expect([status, body]).toEqual([400, rejection('invalid_encoding')]);
    }
    expect(app.published).toEqual([]);
  });

  it('carries the trace of its client', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await sendBatch(app.url, apiKey, arrayOf(readings(2)), { traceparent });
    const traces = app.published.map(({ headers }) => headers['traceparent']);
    expect(traces).toEqual([traceparent, traceparent]);
  });
});

describe('the bounds of a batch', () => {
  afterEach(() => app.close());

  it.each(['identity', ...BATCH_ENCODINGS])('are on its bytes, %s', async (encoding) => {
    await start({ config: { MAX_BATCH_BYTES: 20_000 } });
    const compress = (text: string) =>
      encoding === 'identity' ? Buffer.from(text) : COMPRESS[encoding as 'gzip'](text);
    const headers = { 'content-encoding': encoding };
    const tooLong = `[${' '.repeat(19_999)}]`;
    const answer = await sendBatch(app.url, apiKey, compress(tooLong), headers);
    expect([answer.status, answer.body]).toEqual([413, rejection('payload_too_large')]);
    const bomb = compress(`[${' '.repeat(20_000_000)}]`);
    expect((await sendBatch(app.url, apiKey, bomb, headers)).status).toBe(413);
  });

  it('hold for a body of unknown length', async () => {
    await start({ config: { MAX_BATCH_BYTES: 20_000 } });
    const stream = (text: string) => new Blob([text]).stream();
    const good = arrayOf(readings(60));
    expect((await sendBatch(app.url, apiKey, stream(good))).status).toBe(200);
    expect((await sendBatch(app.url, apiKey, stream(`${good}${' '.repeat(20_000)}`))).status).toBe(413);
  });

  it('are on the number of its readings', async () => {
    await start({ config: { MAX_BATCH_READINGS: 3 } });
    expect((await sendBatch(app.url, apiKey, arrayOf(readings(3)))).status).toBe(200);
    const { status, body } = await sendBatch(app.url, apiKey, arrayOf(readings(4)));
    expect([status, body]).toEqual([413, rejection('payload_too_large')]);
    expect(app.published).toHaveLength(3);
  });

  it('are on each reading: a line is rejected alone, an array as a whole', async () => {
    await start({ config: { MAX_BODY_BYTES: 300 } });
    const long = { ...reading(), [' '.repeat(400)]: 1 };
    const lines = await sendBatch(app.url, apiKey, linesOf([reading(), long]), NDJSON);
    expect(lines.body).toMatchObject({ accepted: 1, errors: [{ index: 1, code: 'payload_too_large' }] });
    for (const text of [arrayOf([reading(), long]), `["${'x'.repeat(400)}"]`, `[${'1'.repeat(400)}]`]) {
      const { status, body } = await sendBatch(app.url, apiKey, text);
      expect([status, body]).toEqual([413, rejection('payload_too_large')]);
    }
  });
});

describe('a batch is rejected by its headers', () => {
  afterEach(() => app.close());

  it.each([
    ['text/plain', '', 415],
    ['application/json; charset=latin1', '', 415],
    ['application/json', 'compress', 415],
    ['application/json', 'gzip, gzip', 415],
  ])('Content-Type %s, Content-Encoding %s', async (type, encoding, expected) => {
    await start();
    const headers = { 'content-type': type, ...(encoding === '' ? {} : { 'content-encoding': encoding }) };
    const { status, headers: answered, body } = await sendBatch(app.url, apiKey, '[]', headers);
    expect([status, body]).toEqual([expected, rejection('unsupported_media_type')]);
    if (encoding !== '') expect(answered.get('accept-encoding')).toBe('gzip, deflate, br, zstd');
  });

  it('in the order of single readings', async () => {
    await start({ config: { MAX_BATCH_BYTES: 20_000 }, limiter: { take: () => 1_000 } });
    const long = ' '.repeat(20_001);
    const status = async (key: string | undefined, body: string, headers = {}) =>
      (await sendBatch(app.url, key, body, headers)).status;
    expect(await status(undefined, long, { 'content-type': 'x/y' })).toBe(401);
    expect(await status(apiKey, long, { 'content-type': 'x/y' })).toBe(415);
    expect(await status(apiKey, long)).toBe(413);
    expect(await status(apiKey, '[')).toBe(429);
    const response = await fetch(`${app.url}/api/v1/ingest/batch`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('the rate limit', () => {
  afterEach(() => app.close());

  it('counts every reading, rejected ones too, before it looks at them', async () => {
    const taken: number[] = [];
    const takeMore = (_keyId: string, _policy: unknown, count: number) => {
      taken.push(count);
      return taken.length > 2 ? Promise.resolve(1_500) : 0;
    };
    await start({ limiter: { takeMore } });
    await sendBatch(app.url, apiKey, arrayOf([...readings(4), 7]));
    await sendBatch(app.url, apiKey, `[${JSON.stringify(reading())},1,2,`);
    const { status, headers, body } = await sendBatch(app.url, apiKey, arrayOf([7, 7]));
    expect([status, body]).toEqual([429, rejection('rate_limited')]);
    expect(headers.get('ratelimit')).toBe('"api-key";r=0;t=2');
    expect(taken).toEqual([4, 2, 1]);
    expect(app.published).toHaveLength(4);
  });
});

describe('what is left of the rate', () => {
  afterEach(() => app.close());

  it.each([
    [500, '"api-key";r=500'],
    [1, '"api-key";r=1'],
    [-1_999, '"api-key";r=0;t=2'],
  ])('%i readings, is said with each batch that is taken', async (left, field) => {
    await start({ limiter: { left: () => left } });
    for (const sent of [readings(2), [...readings(1), 7]]) {
      const { headers } = await sendBatch(app.url, apiKey, arrayOf(sent));
      expect(headers.get('ratelimit')).toBe(field);
      expect(headers.get('ratelimit-policy')).toBe('"api-key";q=10000;w=10');
    }
  });
});

describe('Kafka', () => {
  afterEach(() => app.close());

  const late = new PublishError('deadline', 'for the log only', { maybeStored: true });

  const partly = {
    publishGroup: () =>
      Promise.resolve({
        acknowledged: 1,
        failures: new Map([
          [1, late],
          [0, late],
        ]),
      }),
  };
  const sent = arrayOf([reading(), 'no reading', reading(), reading()]);
  const listed = {
    accepted: 1,
    rejected: 3,
    timestamp: serverTime,
    errors: [
      { index: 0, code: 'unavailable', retryable: true },
      { index: 1, code: 'invalid_reading', retryable: false },
      { index: 2, code: 'unavailable', retryable: true },
    ],
  };

  it('that acknowledges a part makes it a 503 that lists the rest, because senders take a 2xx for all', async () => {
    await start({ lanes: partly });
    for (const prefer of ['', 'handling=lenient']) {
      const { status, headers, body } = await sendBatch(app.url, apiKey, sent, { prefer });
      expect(status).toBe(503);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(headers.get('preference-applied')).toBeNull();
      expect(body).toMatchObject(listed);
    }
    expect(await app.metrics()).toMatch(/^cellarman_ingest_responses_total\{.*outcome="unavailable".*\} 2$/m);
  });

  it('that acknowledges a part makes it a 207 for a client that requests it', async () => {
    await start({ lanes: partly });
    const prefer = 'handling=lenient, return=representation';
    const { status, headers, body } = await sendBatch(app.url, apiKey, sent, { prefer });
    expect(status).toBe(207);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(headers.get('preference-applied')).toBe('return=representation');
    expect(body).toMatchObject(listed);
  });

  it('that acknowledges nothing makes it a 503, also when some readings are none', async () => {
    const publishGroup = () => Promise.resolve({ acknowledged: 0, failures: new Map([[0, late]]) });
    await start({ lanes: { publishGroup } });
    const { status, headers, body } = await sendBatch(app.url, apiKey, arrayOf([reading(), 'no reading']));
    expect([status, body]).toEqual([503, rejection('unavailable')]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });
});
