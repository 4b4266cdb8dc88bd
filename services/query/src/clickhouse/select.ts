import type { ResultSet } from '@clickhouse/client';
import { toRefusal } from './failure.ts';
import type { ClickHouse } from './connect.ts';
import { querySettings } from './query-settings.ts';
import type { QueryBounds } from './query-settings.ts';
import type { Turns } from './turns.ts';

export interface Statement {
  /** With `{name: Type}` for what the client gave: nothing of it is ever part of the text. */
  sql: string;
  params: Record<string, unknown>;
  /** More rows than this are a fault of ours, and fail. */
  maxRows: number;
}

/** Ways to ask ClickHouse, each bounded in rows, time, memory and number. */
export interface Select {
  /** @param signal aborted when nobody waits for the answer any more */
  rows<Row>(statement: Statement, signal: AbortSignal): Promise<Row[]>;
  /** The rows as texts of the format, as they come. Whoever reads them to the end or closes them ends the turn. */
  lines(
    statement: Statement,
    format: 'JSONEachRow' | 'CSV',
    signal: AbortSignal,
  ): Promise<AsyncIterable<readonly string[]>>;
}

export interface SelectOptions extends QueryBounds {
  clickhouse: ClickHouse;
  turns: Turns;
}

export function createSelect(options: SelectOptions): Select {
  const { clickhouse, turns } = options;
  const settings = querySettings(options);

  async function takeTurn(signal: AbortSignal): Promise<() => void> {
    return turns.take(signal).catch((error: unknown) => {
      throw toRefusal(error, signal);
    });
  }

  async function ask<Format extends 'JSONEachRow' | 'CSV'>(
    { sql, params, maxRows }: Statement,
    format: Format,
    signal: AbortSignal,
  ): Promise<ResultSet<Format>> {
    return clickhouse.query({
      query: sql,
      query_params: params,
      format,
      abort_signal: signal,
      clickhouse_settings: { ...settings, max_result_rows: String(maxRows) },
    });
  }

  return {
    async rows<Row>(statement: Statement, signal: AbortSignal) {
      const end = await takeTurn(signal);
      try {
        const answer = await ask(statement, 'JSONEachRow', signal);
        return await answer.json<Row>();
      } catch (error) {
        throw toRefusal(error, signal);
      } finally {
        end();
      }
    },

    async lines(statement, format, signal) {
      const end = await takeTurn(signal);
      try {
        const answer = await ask(statement, format, signal);
        return readLines(answer, signal, end);
      } catch (error) {
        end();
        throw toRefusal(error, signal);
      }
    },
  };
}

async function* readLines(
  answer: ResultSet<'JSONEachRow'> | ResultSet<'CSV'>,
  signal: AbortSignal,
  end: () => void,
): AsyncGenerator<readonly string[]> {
  try {
    for await (const rows of answer.stream()) yield rows.map((row: { text: string }) => row.text);
  } catch (error) {
    throw toRefusal(error, signal);
  } finally {
    answer.close();
    end();
  }
}
