import type { ServerResponse } from 'node:http';
import type { Engine } from './engine.ts';
import { quoteText } from './quote.ts';

/**
 * Statements under way. One whose client has left is stopped, because nobody would read its answer.
 * The engine gives its queries names of its own; ours is found there as the setting `log_comment`.
 */
export interface RunningQueries {
  begin(query: { queryId: string; settings: Map<string, string> }, response: ServerResponse): RunningQuery;
  /** Stops all; each ends with an error soon after. */
  stopAll(): Promise<void>;
}

export interface RunningQuery {
  /** Aborted when the client has left. */
  signal: AbortSignal;
  end(): void;
}

export function createRunningQueries(engine: Engine): RunningQueries {
  const running = new Map<AbortController, string>();

  async function kill(comment: string): Promise<void> {
    const connection = engine.connect();
    try {
      await connection.query(
        `KILL QUERY WHERE Settings['log_comment'] = ${quoteText(comment)} ASYNC`,
        'Null',
      );
    } finally {
      connection.close();
    }
  }

  return {
    begin(query, response) {
      const abort = new AbortController();
      const comment = [query.settings.get('log_comment'), query.queryId].filter(Boolean).join(' ');
      query.settings.set('log_comment', comment);
      running.set(abort, comment);
      const onClose = (): void => {
        if (response.writableFinished) return;
        abort.abort();
        void kill(comment);
      };
      response.once('close', onClose);
      return {
        signal: abort.signal,
        end() {
          running.delete(abort);
        },
      };
    },
    async stopAll() {
      await Promise.all([...running.values()].map(kill));
    },
  };
}
