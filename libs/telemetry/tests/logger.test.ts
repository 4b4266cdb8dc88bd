import { context, trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../src/index.ts';

function capture(level = 'info') {
  const lines: string[] = [];
  const logger = createLogger(
    { service: 'ingest', version: '1.2.3', level },
    { write: (line: string) => void lines.push(line) },
  );
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> };
}

describe('the logger', () => {
  it('writes one readable JSON line', () => {
    const { logger, lines, last } = capture();
    logger.warn({ partition: 3 }, 'no leader');
    expect(lines).toHaveLength(1);
    expect(last()).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      service: 'ingest',
      version: '1.2.3',
      partition: 3,
      msg: 'no leader',
    });
  });

  it('keeps to its level', () => {
    const { logger, lines } = capture('error');
    logger.warn('quiet');
    expect(lines).toEqual([]);
  });

  it.each(['x-api-key', 'authorization', 'cookie', 'set-cookie', 'password', 'token', 'apiKey', 'claimCode'])(
    'hides %s wherever it stands',
    (name) => {
      const { logger, lines, last } = capture();
      logger.info(
        { [name]: 'SECRET', headers: { [name]: 'SECRET' }, req: { headers: { [name]: 'SECRET' } } },
        'x',
      );
      expect(lines.join('')).not.toContain('SECRET');
      expect(last()).toMatchObject({ req: { headers: { [name]: '[hidden]' } } });
    },
  );

  it('writes of an error only the fields that hold no secrets, causes included', () => {
    const { logger, lines, last } = capture();
    // As ioredis does: the command that failed hangs on the error.
    const rejected = Object.assign(new Error('WRONGPASS'), {
      code: 'E_LOGIN',
      command: { name: 'hello', args: ['3', 'AUTH', 'default', 'SECRET'] },
    });
    const aggregate = Object.assign(new AggregateError([rejected], 'both failed'), { pool: ['SECRET'] });
    const failure = Object.assign(new TypeError('no lease', { cause: aggregate }), { config: 'SECRET' });
    logger.warn({ err: failure }, 'x');
    const described = {
      type: 'Error',
      message: 'WRONGPASS',
      code: 'E_LOGIN',
      stack: expect.stringContaining('logger.test.ts') as string,
    };
    expect(last()['err']).toEqual({
      type: 'TypeError',
      message: 'no lease',
      stack: expect.any(String) as string,
      cause: {
        type: 'AggregateError',
        message: 'both failed',
        stack: expect.any(String) as string,
        aggregateErrors: [described],
      },
    });
    logger.warn({ reason: rejected }, 'under another name');
    expect(last()['reason']).toEqual(described);
    logger.warn(rejected, 'without a name');
    expect(last()['err']).toEqual(described);
    expect(lines.join('')).not.toContain('SECRET');
  });

  it('ends with a cause that is its own', () => {
    const { logger, last } = capture();
    const error = new Error('circle');
    error.cause = error;
    logger.warn({ err: error }, 'x');
    expect(last()).toMatchObject({ err: { message: 'circle', cause: { message: 'circle' } } });
  });

  it('logs a thrown value that is not an error', () => {
    const { logger, last } = capture();
    logger.warn({ err: 'out of luck' }, 'x');
    expect(last()).toMatchObject({ err: { type: 'string', message: 'out of luck' } });
  });

  it.each([
    ['redis://default:SECRET@redis:6379/0', 'redis://[hidden]@redis:6379/0'],
    ['rediss://:SECRET@redis', 'rediss://[hidden]@redis'],
    ['postgres://u:SEC@RET@db/x', 'postgres://[hidden]@db/x'],
    ['https://SECRET@host/path@2', 'https://[hidden]@host/path@2'],
    [
      'postgres://db/x?user=u&password=SECRET&sslmode=require',
      'postgres://db/x?user=u&password=[hidden]&sslmode=require',
    ],
    ['http://host:8123/?a=b mail@example.com', 'http://host:8123/?a=b mail@example.com'],
  ])('hides the credentials of %s wherever the URL stands', (url, written) => {
    const { logger, lines } = capture();
    logger.warn({ url, err: new Error(`cannot reach ${url}`) }, `cannot reach ${url}`);
    const { url: field, err, msg } = JSON.parse(lines[0] ?? '') as { url: string; err: Error; msg: string };
    expect([field, err.message, msg]).toEqual([
      written,
      `cannot reach ${written}`,
      `cannot reach ${written}`,
    ]);
    expect(lines[0]).not.toMatch(/SEC|RET/);
  });

  it('says what to do about a certificate, and leaves its circle out', () => {
    const { logger, last } = capture();
    const cert: Record<string, unknown> = { subject: 'CN=other' };
    cert['issuerCertificate'] = cert;
    const code = 'ERR_TLS_CERT_ALTNAME_INVALID';
    logger.warn({ err: Object.assign(new Error('names differ'), { code, cert }) }, 'x');
    expect(last()).toMatchObject({
      err: { message: 'names differ', code, hint: expect.stringContaining('certificate') as string },
    });
    expect(last()['err']).not.toHaveProperty('cert');
  });

  it('does not change the object that it is given', () => {
    const { logger } = capture();
    const headers = { 'x-api-key': 'cm_1' };
    logger.info({ headers }, 'x');
    expect(headers).toEqual({ 'x-api-key': 'cm_1' });
  });

  it('carries no trace ids outside of a trace', () => {
    const { logger, last } = capture();
    context.with(trace.setSpanContext(context.active(), { traceId: '', spanId: '', traceFlags: 0 }), () =>
      logger.info('x'),
    );
    expect(last()).not.toHaveProperty('trace_id');
  });
});
