import { createRequire } from 'node:module';
import { ClickHouseException } from './clickhouse-exception.ts';

/**
 * The ClickHouse engine in this process, reached through the native addon of the `chdb` package.
 *
 * The addon is used directly, because the public `Session` of `chdb` accepts only a short list of
 * INSERT forms and runs queries with parameters one at a time in the whole process. The version in
 * package.json is exact, and the tests pin every behaviour that is relied on here.
 */
export interface Engine {
  readonly version: string;
  readonly timezone: string;
  /** A session of its own: settings, parameters, `USE` and temporary tables. Costs about 0.1 ms. */
  connect(): EngineConnection;
  /** Every connection must be closed before. Parts of the engine crash when it is not closed. */
  close(): void;
}

/** One statement at a time. Close it only when nothing runs on it, or the whole engine aborts. */
export interface EngineConnection {
  /** Returns the whole result in memory. */
  query(sql: string, format: string): Promise<QueryOutcome>;
  /** An INSERT without data behind it (from a SELECT or a file), counting the rows it writes. */
  insert(sql: string): Promise<InsertOutcome>;
  /** Only for SELECT and for formats in which each block of rows stands alone. */
  stream(sql: string, format: string): EngineStream;
  close(): void;
}

export interface QueryOutcome {
  bytes: Buffer;
  rows: number;
}

/** `rowsWritten` includes what materialized views wrote, as in ClickHouse's own summary. */
export interface InsertOutcome {
  rowsWritten: number;
  bytesWritten: number;
}

export interface EngineStream {
  /** The next block, or null at the end. At most one call at a time. */
  next(): Promise<QueryOutcome | null>;
  /** Stops the query. Never while a `next()` is under way: the engine would crash. */
  cancel(): void;
}

type Handle = object;

interface Addon {
  CreateConnection(dataDirectory: string, engineArguments: string[]): Handle;
  CloseConnection(connection: Handle): void;
  QueryAsyncConnection(connection: Handle, sql: string, format: string): Promise<AddonResult>;
  InsertRawAsyncConnection(
    connection: Handle,
    head: string,
    body: Buffer,
    countLines: boolean,
  ): Promise<InsertOutcome>;
  StreamQuery(connection: Handle, sql: string, format: string): Handle;
  StreamFetch(stream: Handle): Promise<{ done: boolean; bytes: Uint8Array; numRows: number }>;
  StreamCancel(stream: Handle): void;
}

interface AddonResult {
  bytes: Uint8Array;
  /** Despite its name the number of rows in the result. */
  rowsRead: number;
}

export async function openEngine(dataDirectory: string, engineArguments: string[]): Promise<Engine> {
  const addon = loadAddon();
  const open = (): Handle => {
    try {
      return addon.CreateConnection(dataDirectory, engineArguments);
    } catch (error) {
      throw ClickHouseException.from(error);
    }
  };
  // This connection keeps the engine alive between requests.
  const anchor = open();
  const facts = await addon.QueryAsyncConnection(anchor, 'SELECT version(), timezone()', 'TSV');
  const [version = '', timezone = ''] = asBuffer(facts.bytes).toString().trim().split('\t');
  return {
    version,
    timezone,
    connect: () => createConnection(addon, open()),
    close: () => addon.CloseConnection(anchor),
  };
}

function createConnection(addon: Addon, handle: Handle): EngineConnection {
  return {
    query: (sql, format) =>
      addon.QueryAsyncConnection(handle, sql, format).then(
        (result) => ({ bytes: asBuffer(result.bytes), rows: result.rowsRead }),
        (error: unknown) => Promise.reject(ClickHouseException.from(error)),
      ),
    insert: (sql) =>
      addon
        .InsertRawAsyncConnection(handle, sql, Buffer.alloc(0), false)
        .catch((error: unknown) => Promise.reject(ClickHouseException.from(error))),
    stream: (sql, format) => createStream(addon, handle, sql, format),
    close: () => addon.CloseConnection(handle),
  };
}

function createStream(addon: Addon, connection: Handle, sql: string, format: string): EngineStream {
  const stream = addon.StreamQuery(connection, sql, format);
  let ended = false;
  return {
    next: async () => {
      try {
        const block = await addon.StreamFetch(stream);
        ended = block.done;
        return ended ? null : { bytes: asBuffer(block.bytes), rows: block.numRows };
      } catch (error) {
        ended = true;
        throw ClickHouseException.from(error);
      }
    },
    cancel: () => {
      if (!ended) addon.StreamCancel(stream);
      ended = true;
    },
  };
}

/** The loader of `chdb` picks the binary of this platform, and says what is missing if there is none. */
function loadAddon(): Addon {
  const chdb = createRequire(import.meta.url).resolve('chdb/package.json');
  const loader = createRequire(chdb)('./dist/loader.js') as { loadNative(): Addon };
  return loader.loadNative();
}

function asBuffer(bytes: Uint8Array | undefined): Buffer {
  return bytes === undefined
    ? Buffer.alloc(0)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
