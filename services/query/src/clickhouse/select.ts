import { finished } from 'node:stream';
import type { ResultSet } from '@clickhouse/client';
import type { Reader } from '../access/reader.ts';
import { isReset, tooExpensive, toRejection } from './failure.ts';
import type { ClickHouse } from '@cellarman/clickhouse';
import { querySettings } from './query-settings.ts';
import type { QueryBounds } from './query-settings.ts';
import type { Slots } from './slots.ts';

export interface Statement {
  /** With `{name: Type}` for what the client gave: nothing of it is ever part of the text. */
  sql: string;
  params: Record<string, unknown>;
  /** More rows than this indicate a bug, and the query fails. */
  maxRows: number;
}

/** Queries to ClickHouse, bounded in rows, time, memory and concurrency. */
export interface Select {
  /** @param signal aborted when no client waits for the response any more */
  rows<Row>(statement: Statement, signal: AbortSignal): Promise<Row[]>;
  /** The rows as texts of the format, as they come. The slot is released when ClickHouse has sent the last one, or has failed. */
  lines(
    statement: Statement,
    format: 'JSONEachRow' | 'CSV',
    signal: AbortSignal,
  ): Promise<AsyncIterable<readonly string[]>>;
}

/** The queries of a reader count towards its share of the slots. */
export type SelectAs = (reader: Pick<Reader, 'id'>) => Select;

export interface SelectOptions extends QueryBounds {
  clickhouse: ClickHouse;
  slots: Slots;
  /** How long ClickHouse may work on a statement whose rows are sent as they come: as long as the response may take. */
  streamMaxSeconds: number;
}

export function createSelect(options: SelectOptions): SelectAs {
  const { clickhouse, slots, streamMaxSeconds } = options;
  const settings = querySettings(options);
  const streamSettings = querySettings({ ...options, timeoutSeconds: streamMaxSeconds });

  async function send<Format extends 'JSONEachRow' | 'CSV'>(
    { sql, params, maxRows }: Statement,
    format: Format,
    { isStream, signal }: { isStream: boolean; signal: AbortSignal },
  ): Promise<ResultSet<Format>> {
    const query = () =>
      clickhouse.query({
        query: sql,
        query_params: params,
        format,
        abort_signal: signal,
        clickhouse_settings: { ...(isStream ? streamSettings : settings), max_result_rows: String(maxRows) },
      });
    // No row has come, and a SELECT can be sent again.
    return query().catch((error: unknown) => {
      if (signal.aborted || !isReset(error)) throw error;
      return query();
    });
  }

  /** ClickHouse may send rows for long, but must have found the first one in the time of any query. */
  async function askForFirstRow<Format extends 'JSONEachRow' | 'CSV'>(
    statement: Statement,
    format: Format,
    signal: AbortSignal,
  ): Promise<ResultSet<Format>> {
    const late = AbortSignal.timeout(options.timeoutSeconds * 1_000);
    const either = AbortSignal.any([signal, late]);
    return send(statement, format, { isStream: true, signal: either }).catch((error: unknown) => {
      throw late.aborted && !signal.aborted ? tooExpensive(error) : error;
    });
  }

  return ({ id: reader }) => ({
    async rows<Row>(statement: Statement, signal: AbortSignal) {
      const kind = { isStream: false, signal };
      try {
        const release = await slots.acquire({ owner: reader, ...kind });
        try {
          return await (await send(statement, 'JSONEachRow', kind)).json<Row>();
        } finally {
          release();
        }
      } catch (error) {
        throw toRejection(error, signal);
      }
    },

    async lines(statement, format, signal) {
      try {
        const release = await slots.acquire({ owner: reader, isStream: true, signal });
        try {
          return readLines(await askForFirstRow(statement, format, signal), signal, release);
        } catch (error) {
          release();
          throw error;
        }
      } catch (error) {
        throw toRejection(error, signal);
      }
    },
  });
}

function readLines(
  result: ResultSet<'JSONEachRow'> | ResultSet<'CSV'>,
  signal: AbortSignal,
  release: () => void,
): AsyncIterable<readonly string[]> {
  const parts = result.stream();
  // Once it has the headers, the client of ClickHouse takes no notice of the signal.
  signal.addEventListener('abort', () => result.close(), { once: true });
  // All that ClickHouse sends has come, or nothing more will. The client may need much longer to read it.
  finished(parts, { readable: false }, release);
  return toTexts(result, parts, signal);
}

async function* toTexts(
  result: ResultSet<'JSONEachRow'> | ResultSet<'CSV'>,
  parts: AsyncIterable<{ text: string }[]>,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  try {
    for await (const rows of parts) yield rows.map(({ text }) => text);
  } catch (error) {
    throw toRejection(error, signal);
  } finally {
    result.close();
  }
}
