import { SeverityNumber } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { createLogger } from '../src/index.ts';
import { toLogRecord } from '../src/log-record.ts';

function recordOf(write: (logger: ReturnType<typeof createLogger>) => void) {
  const lines: string[] = [];
  write(
    createLogger(
      { service: 'ingest', version: '1', level: 'trace', copyTo: (line) => void lines.push(line) },
      {
        write: () => {},
      },
    ),
  );
  return toLogRecord(lines[0] ?? '');
}

test('a line of the log is a record with its severity, its text and its fields', () => {
  const before = Date.now();
  const record = recordOf((logger) => logger.warn({ partition: 3, at: { offset: 5 } }, 'no leader'));
  expect(record).toEqual({
    timestamp: expect.toSatisfy((time: number) => time >= before && time <= Date.now()) as number,
    severityNumber: SeverityNumber.WARN,
    severityText: 'warn',
    body: 'no leader',
    attributes: { partition: 3, at: { offset: 5 } },
  });
});

test('an error has the names that OpenTelemetry gives it', () => {
  const error = Object.assign(new TypeError('broken'), { code: 'E_BROKEN' });
  expect(recordOf((logger) => logger.error({ err: error }, 'it failed'))).toMatchObject({
    severityNumber: SeverityNumber.ERROR,
    body: 'it failed',
    attributes: {
      'exception.type': 'TypeError',
      'exception.message': 'broken',
      'exception.stacktrace': expect.stringContaining('log-record.test.ts') as string,
      err: { code: 'E_BROKEN' },
    },
  });
});

test('a line without a text is a record too', () => {
  expect(recordOf((logger) => logger.info({ size: 1 }))).toMatchObject({ body: '', attributes: { size: 1 } });
});
