import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClickHouseException } from './clickhouse-exception.ts';
import type { Engine } from './engine.ts';
import { quoteText } from './quote.ts';
import type { RequestParameters } from './request-parameters.ts';

/**
 * Statements under way. The engine gives its queries names of its own, so the name that the client
 * knows travels as the setting `log_comment`; there is no query log in which it would be missed.
 */
export interface RunningQueries {
  begin(parameters: RequestParameters, response: ServerResponse): RunningQuery;
  /** Resolves when every response is sent. Statements that still run after `graceMs` are stopped. */
  drain(graceMs: number): Promise<void>;
}

export interface RunningQuery {
  /** Aborted when the client has disconnected; a SELECT is then stopped. */
  signal: AbortSignal;
  /** Throws when the client gave this statement the name of one that still runs. */
  checkUnique(): void;
  /** The engine is done with it, and its name is free again. */
  statementEnded(): void;
  /** Called when the response is sent too. */
  end(): void;
}

const POLL_MS = 100;

export function createRunningQueries(engine: Engine): RunningQueries {
  const running = new Map<object, string>();
  const unanswered = new Set<object>();

  /** Never rejects: KILL is sent again while the engine is busy. */
  async function kill(queryId: string, condition: string): Promise<void> {
    const name = `Settings['log_comment'] = ${quoteText(queryId)}`;
    const connection = engine.connect();
    await connection
      .query(`KILL QUERY WHERE ${name} AND ${condition} ASYNC`, 'Null')
      .catch((error: unknown) => process.stderr.write(`Cannot stop ${queryId}: ${String(error)}\n`));
    connection.close();
  }

  /** Again and again, because the statement may not have reached the engine yet. */
  async function killUntilGone(query: object, queryId: string, condition: string): Promise<void> {
    while (running.has(query)) {
      await kill(queryId, condition);
      await sleep(POLL_MS);
    }
  }

  return {
    begin({ queryId, settings }, response) {
      const abort = new AbortController();
      const query = {};
      const isUnique = ![...running.values()].includes(queryId);
      settings.set('log_comment', queryId);
      running.set(query, queryId);
      unanswered.add(query);
      response.once('close', () => {
        if (response.writableFinished) return;
        abort.abort();
        // An INSERT or a change of a table goes on, as on the server.
        void killUntilGone(query, queryId, "query_kind = 'Select'");
      });
      return {
        signal: abort.signal,
        checkUnique() {
          if (isUnique) return;
          throw ClickHouseException.reject(
            'QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING',
            `Query with id = ${queryId} is already running`,
          );
        },
        statementEnded: () => running.delete(query),
        end: () => unanswered.delete(query),
      };
    },
    async drain(graceMs) {
      const graceEnds = performance.now() + graceMs;
      while (unanswered.size > 0) {
        await sleep(POLL_MS);
        if (performance.now() < graceEnds) continue;
        for (const queryId of running.values()) await kill(queryId, '1');
      }
    },
  };
}
