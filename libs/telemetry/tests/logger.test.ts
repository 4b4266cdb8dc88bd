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

  it.each(['x-api-key', 'authorization', 'cookie', 'set-cookie', 'password', 'token', 'apiKey'])(
    'hides %s wherever it stands',
    (name) => {
      const { logger, lines, last } = capture();
      logger.info(
        { [name]: 'SECRET', headers: { [name]: 'SECRET' }, req: { headers: { [name]: 'SECRET' } } },
        'x',
      );
      logger.info(
        { err: Object.assign(new Error('refused'), { config: { headers: { [name]: 'SECRET' } } }) },
        'x',
      );
      expect(lines.join('')).not.toContain('SECRET');
      expect(last()).toMatchObject({
        err: { message: 'refused', config: { headers: { [name]: '[hidden]' } } },
      });
    },
  );

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
