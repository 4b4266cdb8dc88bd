import { logLevel } from 'kafkajs';
import { afterEach, expect, it, vi } from 'vitest';
import { createKafkajsLog } from '../src/client/kafkajs-log.ts';

function log() {
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const write = createKafkajsLog(logger);
  return {
    logger,
    write: (level: logLevel, message: string, extra: object = {}) =>
      write({
        level,
        namespace: 'Connection',
        label: '',
        log: { timestamp: '', logger: 'kafkajs', message, ...extra },
      }),
  };
}

afterEach(() => void vi.useRealTimers());

it('passes on who and why, and nothing else', () => {
  const { logger, write } = log();

  write(logLevel.INFO, 'joined', {
    broker: 'b:1',
    groupId: 'g',
    payload: 'secret',
    sasl: { password: 'secret' },
  });

  expect(logger.info).toHaveBeenCalledExactlyOnceWith(
    { broker: 'b:1', groupId: 'g' },
    'kafkajs Connection: joined',
  );
});

it('calls a failed try a warning', () => {
  const { logger, write } = log();

  write(logLevel.ERROR, 'Connection error: connect ECONNREFUSED');

  expect(logger.warn).toHaveBeenCalledOnce();
  expect(logger.error).not.toHaveBeenCalled();
});

it('writes a repeated line once in five seconds', () => {
  vi.useFakeTimers();
  const { logger, write } = log();

  for (let i = 0; i < 100; i++) write(logLevel.ERROR, 'Connection timeout');
  expect(logger.warn).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(5_000);
  write(logLevel.ERROR, 'Connection timeout');

  expect(logger.warn).toHaveBeenCalledTimes(2);
});
