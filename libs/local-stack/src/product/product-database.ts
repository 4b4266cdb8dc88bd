import { Client } from 'pg';

const DATABASE = 'cellarman';

/** Makes key-service's database if there is none yet, and gives its URL. */
export async function productDatabase(superuserUrl: string): Promise<string> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
  const url = new URL(superuserUrl);
  url.pathname = `/${DATABASE}`;
  return url.href;
}
