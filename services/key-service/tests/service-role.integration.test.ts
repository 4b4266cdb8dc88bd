import { createLogger } from '@cellarman/telemetry';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { migrate, migrateIfNeeded } from '../src/postgres/migrate.ts';
import { grantServiceRole } from '../src/postgres/service-role.ts';
import { run } from './key-service-process.ts';
import { makeCellar, makeKey } from './made.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import type { ServiceUnderTest } from './service-under-test.ts';
import { createTestDatabase, createTestRole } from './test-database.ts';

/** Every integration test of key-service runs with this role; here is what it may not do. */
const logger = createLogger({ service: 'test', version: '0', level: 'silent' });
let service: ServiceUnderTest;
let client: Client;
beforeAll(async () => {
  service = await startServiceUnderTest();
  const { name } = await makeCellar(service);
  await makeKey(service, name);
  client = new Client({ connectionString: service.env['DATABASE_URL'] });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await service.stop();
});

describe('the role of the service', () => {
  test('reads the audit and adds to it', async () => {
    const { rows } = await client.query(`SELECT action FROM audit WHERE action = 'key.created'`);
    expect(rows).toHaveLength(1);
  });

  test.each([
    `UPDATE audit SET action = 'nothing'`,
    `DELETE FROM audit`,
    `TRUNCATE audit`,
    `DROP TABLE audit`,
    `ALTER TABLE audit DISABLE TRIGGER ALL`,
    `DROP TABLE api_keys`,
    `TRUNCATE api_keys`,
    `ALTER TABLE api_keys ADD COLUMN more text`,
    `CREATE TABLE more (x int)`,
    `DELETE FROM migrations`,
    `CREATE ROLE another`,
  ])('may not %s', async (statement) => {
    await client.query('BEGIN');
    // DROP and ALTER require ownership of the table, the others a privilege.
    await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    await client.query('ROLLBACK');
  });
});

describe('the migration', () => {
  test('is required by a service that may not migrate, and named', async () => {
    const database = await createTestDatabase(inject('engines').databaseUrl);
    const role = await createTestRole(database.url);
    await expect(migrateIfNeeded(role.url, logger)).rejects.toThrow(
      /run key-service migrate first.*0001_keys/,
    );
    await database.stop();
    await role.stop();
  });

  test('gives the role its rights, with nothing but PostgreSQL in its environment', async () => {
    const database = await createTestDatabase(inject('engines').databaseUrl);
    const role = await createTestRole(database.url);
    const migrating = run({ DATABASE_URL: database.url, DATABASE_SERVICE_ROLE: role.name }, 'migrate');
    expect(await migrating.exit).toBe(0);
    await expect(migrateIfNeeded(role.url, logger)).resolves.toBeUndefined();
    const service = new Client({ connectionString: role.url });
    await service.connect();
    expect((await service.query('SELECT * FROM cellars')).rows).toEqual([]);
    await expect(service.query('DELETE FROM audit')).rejects.toMatchObject({ code: '42501' });
    await service.end();
    await database.stop();
    await role.stop();
  });

  test('rejects the owner of the tables as the role of the service', async () => {
    const database = await createTestDatabase(inject('engines').databaseUrl);
    await migrate(database.url, logger);
    const owner = new URL(database.url).username;
    await expect(grantServiceRole(database.url, owner)).rejects.toThrow('owns the tables');
    await database.stop();
  });
});
