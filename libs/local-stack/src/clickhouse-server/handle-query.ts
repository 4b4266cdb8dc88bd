import type { IncomingMessage, ServerResponse } from 'node:http';
import { createAnswer } from './answer.ts';
import { checkCredentials, type Credentials } from './check-credentials.ts';
import { ClickHouseException } from './clickhouse-exception.ts';
import type { Engine } from './engine.ts';
import type { QuerySlots } from './query-slots.ts';
import { decodedBody } from './request-body.ts';
import { readParameters } from './request-parameters.ts';
import type { RunningQueries } from './running-queries.ts';
import { runStatement } from './run-statement.ts';
import type { Sessions } from './sessions.ts';

export interface QueryHandlerParts {
  engine: Engine;
  credentials: Credentials;
  slots: QuerySlots;
  sessions: Sessions;
  running: RunningQueries;
  maxBodyBytes: number;
}

/** One request: parameters → credentials → slot → session → statement → answer. */
export function createQueryHandler(parts: QueryHandlerParts) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parameters = readParameters(request);
    response.setHeader('X-ClickHouse-Query-Id', parameters.queryId);
    const query = parts.running.begin(parameters, response);
    const answer = createAnswer(request, response, {
      compress: parameters.compressAnswer,
      version: parts.engine.version,
      signal: query.signal,
    });
    let release: (() => void) | undefined;
    try {
      checkCredentials(parts.credentials, parameters);
      if (parameters.blockCompression) {
        throw ClickHouseException.refuse(
          'NOT_IMPLEMENTED',
          'compress and decompress are not offered here; use gzip',
        );
      }
      release = await parts.slots.acquire(query.signal);
      const session = await parts.sessions.open(parameters);
      try {
        const summary = await runStatement(
          session.connection,
          {
            query: parameters.query,
            body: decodedBody(request),
            defaultFormat: parameters.defaultFormat,
            waitForEnd: parameters.waitForEnd,
          },
          answer,
          { maxBodyBytes: parts.maxBodyBytes, signal: query.signal },
        );
        await answer.finish(summary);
      } finally {
        await session.leave();
      }
    } catch (error) {
      // What was not read of the body would be taken for the next request.
      if (!request.complete) response.setHeader('Connection', 'close');
      answer.fail(ClickHouseException.from(error));
    } finally {
      release?.();
      query.end();
    }
  };
}
