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

async function run(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
