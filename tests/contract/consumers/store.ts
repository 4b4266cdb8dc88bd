import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Program } from './programs.ts';

/** A row of a consumer: a reading with the trace that it belongs to. */
export interface Row {
  cellar: string;
  rack: string;
  keg: string;
  timestamp: string;
  value: number;
  trace_id: string | null;
}

/** An empty database for one run of a consumer. */
export interface Store {
  /** The argument of `--database`. */
  readonly database: string;
  /** Empty while there is no table. */
  rows(): Promise<Row[]>;
}

const SELECT = 'SELECT cellar, rack, keg, timestamp, value, trace_id FROM readings';

export async function createStore(
  { language, store }: Program,
  name: string,
  { folder, databaseUrl }: { folder: string; databaseUrl: string },
): Promise<Store> {
  if (store === 'SQLite') {
    const file = join(folder, `${name}.db`);
    return {
      database: file,
      rows: async () => {
        using database = new DatabaseSync(file);
        return hasTable(database) ? (database.prepare(SELECT).all() as unknown as Row[]) : [];
      },
    };
  }
  const url = new URL(databaseUrl);
  await withClient(url, (client) => client.query(`CREATE DATABASE "${name}"`));
  url.pathname = `/${name}`;
  const credentials = new URLSearchParams({ user: url.username, password: url.password });
  return {
    database:
      language === 'Java' ? `jdbc:postgresql://${url.host}/${name}?${credentials.toString()}` : url.href,
    rows: () =>
      withClient(url, async (client) => {
        const { rows } = await client.query(`SELECT to_regclass('readings') IS NOT NULL AS found`);
        return (rows[0] as { found: boolean }).found ? (await client.query<Row>(SELECT)).rows : [];
      }),
  };
}

function hasTable(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'readings'").get() !== undefined;
}

async function withClient<T>(url: URL, query: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return await query(client);
  } finally {
    await client.end();
  }
}
