import { expect, test } from 'vitest';
import { readSettings } from '../src/config.ts';
import { waitBeforeRetry } from '../src/http/retry-wait.ts';
import { createTable } from '../src/output/table.ts';
import { readKafkaAccess } from '../src/readings/kafka-settings.ts';

test('a name from a device cannot move the cursor', async () => {
  const lines: string[] = [];
  const table = createTable(['RACK', 'KEG'], async (line) => void lines.push(line));
  await table.add([
    ['door\u001B[2J', 'a'],
    ['\u202Eb', 'c'],
  ]);
  expect(lines).toEqual(['RACK           KEG', 'door\\u{1b}[2J  a', '\\u{202e}b      c']);
});

test('the next try comes no sooner than Retry-After says', () => {
  expect(waitBeforeRetry('3', 0)).toBeGreaterThanOrEqual(3_000);
  expect(waitBeforeRetry(new Date(Date.now() + 60_000).toUTCString(), 0)).toBeGreaterThan(50_000);
  expect(waitBeforeRetry('soon', 0)).toBeLessThan(1_000);
});

test('what is missing or mistyped in the environment is reported by its name', () => {
  const settings = readSettings(
    { CELLARMAN_TOKEN: 'cm_x', CELLARMAN_API_KEY: 'cm_x', CELLARMAN_URL: 'key' },
    '/',
  );
  expect(() => settings.token()).toThrow('CELLARMAN_TOKEN is not a service token');
  expect(() => settings.apiKey()).toThrow('CELLARMAN_API_KEY is not an API key');
  expect(() => settings.keyServiceUrl()).toThrow('CELLARMAN_URL must be a URL');
  expect(() => settings.ingestUrl()).toThrow('CELLARMAN_INGEST_URL is not set');
});

test('Kafka is found by the variables of the services, or by the local stack', () => {
  const sasl = { KAFKA_SASL_MECHANISM: 'plain', KAFKA_USERNAME: 'reader', KAFKA_PASSWORD: 'secret' };
  const settings = readSettings({ KAFKA_BROKERS: 'a:1,b:2', KAFKA_TLS: 'true', ...sasl }, '/');
  expect(readKafkaAccess(settings.kafkaEnvironment())).toEqual({
    brokers: ['a:1', 'b:2'],
    tls: true,
    sasl: { mechanism: 'plain', username: 'reader', password: 'secret' },
  });
  expect(() => readKafkaAccess(readSettings({}, '/').kafkaEnvironment())).toThrow('KAFKA_BROKERS is missing');
  expect(() => readKafkaAccess({ KAFKA_BROKERS: 'a:1', KAFKA_USERNAME: 'reader' })).toThrow('go together');
});
