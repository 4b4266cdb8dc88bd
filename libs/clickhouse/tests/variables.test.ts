import { readConfig } from '@cellarman/config';
import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { clickHouseAccess, clickHouseVariables } from '../src/index.ts';

const schema = Type.Object(clickHouseVariables({ database: 'The database.', user: 'The user.' }));
const read = (env: Record<string, string>) =>
  clickHouseAccess(
    readConfig({ service: 'test', schema, env: { CLICKHOUSE_URL: 'https://clickhouse:8443', ...env } }),
  );

it('needs only the URL', () => {
  expect(read({})).toEqual({ url: 'https://clickhouse:8443', database: 'cellarman' });
});

it('takes the login and the client certificate', () => {
  const login = { CLICKHOUSE_DATABASE: 'd', CLICKHOUSE_USER: 'u', CLICKHOUSE_PASSWORD: 'p' };
  const files = { CLICKHOUSE_TLS_CERT_FILE: '/tls.crt', CLICKHOUSE_TLS_KEY_FILE: '/tls.key' };
  expect(read({ ...login, ...files })).toMatchObject({
    ...{ database: 'd', user: 'u', password: 'p' },
    certificate: { certFile: '/tls.crt', keyFile: '/tls.key' },
  });
});

it.each(['1st', 'a-b', 'a;DROP'])('rejects the database name %j', (name) => {
  expect(() => read({ CLICKHOUSE_DATABASE: name })).toThrow('CLICKHOUSE_DATABASE');
});
