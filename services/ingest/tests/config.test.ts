import { READINGS_MAX_BYTES } from '@cellarman/contracts';
import { expect, it } from 'vitest';
import { loadConfig } from '../src/config.ts';

const REQUIRED = {
  KAFKA_BROKERS: '127.0.0.1:9092',
  KEY_SERVICE_URL: 'http://127.0.0.1:9',
  INTERNAL_TOKEN: 'a-token-for-the-tests',
  REDIS_URL: 'redis://127.0.0.1:9',
};

it('no body may be so large that its message does not fit into the topic', () => {
  const largest = READINGS_MAX_BYTES / 4;
  expect(loadConfig({ ...REQUIRED, MAX_BODY_BYTES: String(largest) }).MAX_BODY_BYTES).toBe(largest);
  expect(() => loadConfig({ ...REQUIRED, MAX_BODY_BYTES: String(largest + 1) })).toThrow('MAX_BODY_BYTES');
});

it('the internal token has at least 16 characters, as in the other services', () => {
  expect(() => loadConfig({ ...REQUIRED, INTERNAL_TOKEN: 'x'.repeat(15) })).toThrow('INTERNAL_TOKEN');
  expect(loadConfig({ ...REQUIRED, INTERNAL_TOKEN: 'x'.repeat(16) }).INTERNAL_TOKEN).toHaveLength(16);
});
