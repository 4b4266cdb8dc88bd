import { gzipSync } from 'node:zlib';
import { PublishError } from '@cellarman/kafka';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp } from '../ingest-app.ts';
import type { TestApp } from '../ingest-app.ts';
import { sendLines } from './send-lines.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const SECONDS = NOW / 1_000;
const NS = `${SECONDS}000000000`;

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startTestApp({ now: () => NOW });
  key = app.keyService.addKey();
});
afterEach(() => void app.published.splice(0));
afterAll(() => app.close());

const token = () => ({ authorization: `Token ${key}` });
const stored = () => app.published.map(({ value }) => JSON.parse(value) as Record<string, unknown>);

async function write(lines: string, headers: Record<string, string> = {}, path?: string) {
  return sendLines(app.url, lines, { ...token(), ...headers }, path);
}

describe('POST /api/v2/write', () => {
  it('stores a reading for each field, and responds 204 without a body', async () => {
    const line = `cpu,cpu=cpu0,host=pi usage_idle=97.50,threads=12i,up=7u ${NS}\n`;
    const { status, headers } = await write(line);
    expect([status, headers.get('content-length'), headers.get('ratelimit')]).toEqual([
      204,
      null,
      expect.any(String),
    ]);
    const fields = { cellar: 'demo', rack: 'pi', timestamp: '2026-11-23T12:00:00Z' };
    expect(stored()).toMatchObject([
      { ...fields, keg: 'cpu.usage_idle,cpu=cpu0', value: 97.5 },
      { ...fields, keg: 'cpu.threads,cpu=cpu0', value: 12 },
      { ...fields, keg: 'cpu.up,cpu=cpu0', value: 7 },
    ]);
    expect(app.published[0]?.value).toContain('"value":97.50,');
    expect(app.published[0]?.key).toBe('demo/pi');
  });

  it.each([
    ['ns', `${SECONDS}123456789`, '2026-11-23T12:00:00.123456789Z'],
    ['us', `${SECONDS}123400`, '2026-11-23T12:00:00.1234Z'],
    ['ms', `${SECONDS}000`, '2026-11-23T12:00:00Z'],
    ['s', `${SECONDS}`, '2026-11-23T12:00:00Z'],
  ])('takes timestamps in %s', async (precision, integer, timestamp) => {
    const path = `/api/v2/write?bucket=demo&precision=${precision}`;
    expect((await write(`m,rack=r f=1 ${integer}`, {}, path)).status).toBe(204);
    expect(stored()).toMatchObject([{ timestamp }]);
  });

  it('takes the rack from the first tag that names it, or from a key for one rack', async () => {
    const lines = [
      `m,device=d,entity_id=e,host=h,rack=r f=1 ${NS}`,
      `m,device=d,entity_id=e,host=h f=1 ${NS}`,
      `m,entity_id=e,device=d f=1 ${NS}`,
      `m,entity_id=e f=1 ${NS}`,
    ];
    expect((await write(lines.join('\n'))).status).toBe(204);
    expect(stored().map(({ rack, keg }) => [rack, keg])).toEqual([
      ['r', 'm.f,device=d,entity_id=e,host=h'],
      ['h', 'm.f,device=d,entity_id=e'],
      ['d', 'm.f,entity_id=e'],
      ['e', 'm.f'],
    ]);
    app.published.splice(0);
    const bound = app.keyService.addKey({ rack: 'kiln "1" ü' });
    expect((await write(`m f=1 ${NS}`, { authorization: `Token ${bound}` })).status).toBe(204);
    expect(stored()).toMatchObject([{ rack: 'kiln "1" ü', keg: 'm.f' }]);
    const other = await write(`m,host=other f=1 ${NS}`, { authorization: `Token ${bound}` });
    expect(other).toMatchObject({ status: 400, error: { code: 'rack_mismatch', accepted: 0 } });
  });

  it.each([
    ['{field}', 'f'],
    ['{field}{tags}', 'f,a=1,b c=ü"'],
    ['{tag:b c}/{measurement}/{field}{tags}', 'ü"/m/f,a=1'],
    ['{measurement} ü {field} {tag:rack}{tag:none}{tags}{field}', 'm ü f r,a=1,b c=ü"f'],
  ])('names the keg by the rule of the cellar: %s', async (lineProtocolKeg, keg) => {
    const authorization = `Token ${app.keyService.addKey({ lineProtocolKeg })}`;
    expect((await write(`m,rack=r,b\\ c=ü",a=1 f=1 ${NS}`, { authorization })).status).toBe(204);
    expect(stored()).toMatchObject([{ rack: 'r', keg }]);
  });

  it('passes over empty lines, comments and carriage returns, and any content type', async () => {
    const lines = `# a comment\r\n\n  \r\nm,rack=r f=1 ${NS}\r\n#\nm,rack=r   g=2   ${NS}  `;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await write(lines, form)).status).toBe(204);
    expect(stored().map(({ keg }) => keg)).toEqual(['m.f', 'm.g']);
  });

  it('takes compressed bodies, and other ways to send the key', async () => {
    const body = gzipSync(`m,rack=r f=1 ${NS}`);
    const basic = `Basic ${Buffer.from(`user:${key}`).toString('base64')}`;
    for (const authorization of [`Bearer ${key}`, basic]) {
      const answer = await sendLines(app.url, body, { authorization, 'content-encoding': 'gzip' });
      expect(answer.status).toBe(204);
    }
    const path = `/write?db=demo&rp=autogen&precision=n&u=any&p=${key}`;
    expect((await sendLines(app.url, `m,rack=r f=1 ${NS}`, {}, path)).status).toBe(204);
    expect(app.published).toHaveLength(3);
  });
});

describe('400', () => {
  it('lists what is rejected, and everything else is stored', async () => {
    const lines = [
      `m,rack=r a=1,b="text, with=x\nand a line feed \\"",c=true,d=2 ${NS}`,
      `broken`,
      `m,rack=r a=3 ${NS}`,
      `m,rack=r a=1 1`,
    ];
    const { status, error } = await write(lines.join('\n'));
    expect([status, error?.accepted, error?.rejected, error?.code]).toEqual([400, 3, 4, 'invalid_reading']);
    expect(error?.message).toBe('3 of 7 readings are stored; line 1: "value" must be a number, not a string');
    expect(error?.errors?.map(({ index, code, error: text }) => [index, code, text])).toEqual([
      [0, 'invalid_reading', '"value" must be a number, not a string'],
      [0, 'invalid_reading', '"value" must be a number, not a boolean'],
      [1, 'invalid_reading', expect.stringContaining('key=value')],
      [3, 'timestamp_out_of_range', expect.stringContaining('time of the server')],
    ]);
    expect(stored().map(({ keg, value }) => [keg, value])).toEqual([
      ['m.a', 1],
      ['m.d', 2],
      ['m.a', 3],
    ]);
  });

  it('becomes 204 for a client that prefers lenient handling, unless nothing is stored', async () => {
    const lenient = { prefer: 'handling=lenient' };
    const { status, headers } = await write(`m,rack=r a=1,b="x" ${NS}`, lenient);
    expect([status, headers.get('preference-applied')]).toEqual([204, 'handling=lenient']);
    expect((await write(`m,rack=r b="x" ${NS}`, lenient)).status).toBe(400);
  });

  it.each([
    [`m,rack=r f=1`, '"timestamp" is missing'],
    [`m,rack=r f=1 -1`, '"timestamp" must be an integer'],
    [`m,rack=r f=1 1.5`, '"timestamp" must be an integer'],
    [`m,rack=r f=1 99999999999999999999`, '"timestamp" must be an integer'],
    [`m f=1 ${NS}`, '"rack" is missing'],
    [`m,rack= f=1 ${NS}`, 'A tag must be key=value'],
    [`m,rack f=1 ${NS}`, 'A tag must be key=value'],
    [`m,rack=r,x=1=2 f=1 ${NS}`, 'A tag must be key=value'],
    [`m,rack=r,x=1,x=2 f=1 ${NS}`, 'The line has a tag twice'],
    [`m,rack=r`, 'A field must be key=value'],
    [`m,rack=r  ${NS}`, 'A field must be key=value'],
    [`m,rack=r f=1, ${NS}`, 'A field must be key=value'],
    [`m,rack=r f="x ${NS}`, 'A string has no closing quote'],
    [`m,rack=r f="x"y ${NS}`, 'A field must be key=value'],
    [`m,rack=r f=1 ${NS} more`, 'The line goes on after its timestamp'],
    [`,rack=r f=1 ${NS}`, 'The line has no measurement'],
    [`m,rack=r f= ${NS}`, '"value" must be a number'],
    [`m,rack=r f=NaN ${NS}`, '"value" must be a number'],
    [`m,rack=r f=+1 ${NS}`, '"value" must be a number'],
    [`m,rack=r f=-1u ${NS}`, '"value" must be a number'],
    [`m,rack=r f=1.0i ${NS}`, '"value" must be a number'],
    [`m,rack=r f=1e400 ${NS}`, '"value" is too large'],
    [`m,rack=r f=9007199254740993i ${NS}`, '"value" is an integer that'],
    [`m,rack=r\tt f=1 ${NS}`, '"rack" must not contain control characters'],
    [`m,rack=${'r'.repeat(257)} f=1 ${NS}`, '"rack" must have 1 to 256 characters'],
    [`${'m'.repeat(1_025)},rack=r f=1 ${NS}`, '"keg" must have 1 to 256 characters'],
    [`m,rack=r ${'f'.repeat(1_025)}=1 ${NS}`, '"keg" must have 1 to 256 characters'],
    [`m,rack=r f=${'1'.repeat(1_025)} ${NS}`, '"value" must be a number'],
  ])('for %s', async (line, message) => {
    const { status, error } = await write(`${line}\nm,rack=r after=1 ${NS}`);
    expect([status, error?.accepted, error?.rejected]).toEqual([400, 1, 1]);
    expect(error?.errors?.[0]?.error).toContain(message);
    expect(stored()).toMatchObject([{ keg: 'm.after' }]);
  });

  it('for a line that is too long, and for bytes that are not UTF-8', async () => {
    const long = `m,rack=r ${Array.from({ length: 20_000 }, (_, n) => `f${n}=1`).join()} ${NS}`;
    const { error } = await write(`${long}\nm,rack=r f=1 ${NS}`);
    expect(error).toMatchObject({ accepted: 1, rejected: 1, code: 'payload_too_large' });
    const latin1 = Buffer.from(`m,rack=kühl f=1 ${NS}\nm,rack=r f=1 ${NS}`, 'latin1');
    const answer = await sendLines(app.url, latin1, token());
    expect(answer.error).toMatchObject({ accepted: 1, errors: [{ error: 'The line is not valid UTF-8' }] });
  });

  it('for a body without readings, or with too much between them', async () => {
    for (const body of ['', '\n\n', '# nothing', '#\n'.repeat(50_000), ' '.repeat(70_000)]) {
      expect((await write(body)).error).toMatchObject({ code: 'invalid_batch' });
    }
  });

  it('for parameters that are missing or unknown', async () => {
    const line = `m,rack=r f=1 ${NS}`;
    for (const query of [
      '',
      '?bucket=',
      '?bucket=demo&bucket=demo',
      '?bucket=demo&precision=h',
      '?db=demo',
    ]) {
      const { status, error } = await write(line, {}, `/api/v2/write${query}`);
      expect([status, error?.code]).toEqual([400, 'invalid_request']);
    }
  });
});

describe('other errors have the format of InfluxDB', () => {
  it('401, 403, 415 and 413', async () => {
    const line = `m,rack=r f=1 ${NS}`;
    for (const headers of [{}, { authorization: 'Token' }, { authorization: `Token ${key}x` }]) {
      const { status, error } = await sendLines(app.url, line, headers);
      expect([status, error?.code]).toEqual([401, 'unauthenticated']);
    }
    const path = '/api/v2/write?bucket=other';
    expect(await write(line, {}, path)).toMatchObject({ status: 403, error: { code: 'cellar_mismatch' } });
    expect((await write(line, { 'content-encoding': 'x' })).status).toBe(415);
    expect((await write('x'.repeat(5_000_000))).status).toBe(413);
    const fields = Array.from({ length: 5_000 }, (_, n) => `f${n}=1`).join();
    expect((await write(`m,rack=r ${fields} ${NS}\n`.repeat(3))).status).toBe(413);
  });

  it('429 and 503 with Retry-After, also when one reading is retryable', async () => {
    const limited = await startTestApp({ now: () => NOW, limiter: { take: () => 1_000 } });
    const late = new PublishError('deadline', 'for the log only', { maybeStored: true });
    const publishGroup = () => Promise.resolve({ acknowledged: 1, failures: new Map([[1, late]]) });
    const away = await startTestApp({ now: () => NOW, lanes: { publishGroup } });
    for (const [{ url, keyService }, status, code] of [
      [limited, 429, 'rate_limited'],
      [away, 503, 'unavailable'],
    ] as const) {
      const headers = { authorization: `Token ${keyService.addKey()}`, prefer: 'handling=lenient' };
      const answer = await sendLines(url, `m,rack=r a=1,b=2,c="x" ${NS}`, headers);
      expect([answer.status, answer.error?.code]).toEqual([status, code]);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await Promise.all([limited.close(), away.close()]);
  });
});
