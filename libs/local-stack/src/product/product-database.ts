import { Client } from 'pg';

const DATABASE = 'cellarman';

/** The URL of key-service's database on the server that `superuserUrl` points to. */
export function productDatabaseUrl(superuserUrl: string): string {
  const url = new URL(superuserUrl);
  url.pathname = `/${DATABASE}`;
  return url.href;
}

/** Makes it if it is not there yet. */
export async function createProductDatabase(superuserUrl: string): Promise<void> {
  const client = new Client({ connectionString: superuserUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}
