import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

export interface TestDatabase {
  url: string;
  stop(): Promise<void>;
}

/**
 * A database of its own on the running server; it is dropped at the end.
 *
 * @param options of `CREATE DATABASE`
 */
export async function createTestDatabase(serverUrl: string, options = ''): Promise<TestDatabase> {
  const name = `key_service_${randomBytes(6).toString('hex')}`;
  await run(serverUrl, `CREATE DATABASE ${name} ${options}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, stop: () => run(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** A role that owns nothing, and may connect to the database. Drop the database first. */
export async function createTestRole(
  databaseUrl: string,
): Promise<{ name: string; url: string; stop(): Promise<void> }> {
  const name = `service_${randomBytes(6).toString('hex')}`;
  const server = new URL(databaseUrl);
  server.pathname = '/postgres';
  await run(server.href, `CREATE ROLE ${name} LOGIN PASSWORD 'of-the-tests'`);
  const url = new URL(databaseUrl);
  url.username = name;
  url.password = 'of-the-tests';
  return { name, url: url.href, stop: () => run(server.href, `DROP ROLE ${name}`) };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
