import { expect, test } from 'vitest';
import { loadConfig } from '../src/config.ts';

const GIVEN = {
  INGEST_URL: 'http://ingest',
  QUERY_URL: 'http://query',
  CELLAR: 'canary',
  API_KEY: 'cm_secret',
};

test('a canary needs to know where to post, where to read, and with which key', () => {
  expect(loadConfig(GIVEN)).toMatchObject({ ...GIVEN, INTERVAL_MS: 15_000, ROUND_TRIP_DEADLINE_MS: 30_000 });
  for (const name of Object.keys(GIVEN)) {
    expect(() => loadConfig({ ...GIVEN, [name]: '' })).toThrow(`${name} is missing`);
  }
});

test('what is wrong is reported without the key', () => {
  const problem = () => loadConfig({ ...GIVEN, CELLAR: 'no/cellar', INTERVAL_MS: 'often' });
  expect(problem).toThrow(/has 2 problems:[^]*CELLAR[^]*INTERVAL_MS/);
  expect(problem).not.toThrow('cm_secret');
});
