import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LimitedRequest, Limiter } from '@cellarman/concurrency';
import { createQueryResponse, type QueryResponse, type Summary } from './query-response.ts';
import { checkCredentials, type Credentials } from './check-credentials.ts';
import { ClickHouseException } from './clickhouse-exception.ts';
import type { Engine } from './engine.ts';
import type { IncomingData } from './incoming-data.ts';
import { planStatement, type PlanLimits } from './plan-statement.ts';
import { readParameters, type RequestParameters } from './request-parameters.ts';
import type { RunningQueries } from './running-queries.ts';
import { runPlan } from './run-plan.ts';
import type { Sessions } from './sessions.ts';

export interface QueryHandlerParts {
  engine: Engine;
  users: readonly Credentials[];
  /** The bodies of waiting requests are not read, so it bounds the memory of requests. */
  slots: Limiter<LimitedRequest>;
  sessions: Sessions;
  running: RunningQueries;
  incoming: IncomingData;
  limits: PlanLimits;
}

export type QueryHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Handles one request: parameters → credentials → slot → plan → session → run → response. */
export function createQueryHandler(parts: QueryHandlerParts): QueryHandler {
  async function run(
    request: IncomingMessage,
    parameters: RequestParameters,
    answer: QueryResponse,
    signal: AbortSignal,
  ): Promise<Summary> {
    checkCredentials(parts.users, parameters);
    if (parameters.blockCompression) {
      throw ClickHouseException.reject(
        'NOT_IMPLEMENTED',
        'The parameters compress and decompress are not offered here; use Content-Encoding',
      );
    }
    const releaseSlot = await parts.slots.acquire({ owner: '', signal });
    try {
      const plan = await planStatement(request, parameters, parts.limits);
      const session = await parts.sessions.open(parameters);
      try {
        signal.throwIfAborted();
        return await runPlan(session.connection, plan, answer, { incoming: parts.incoming, signal });
      } finally {
        session.leave();
      }
    } finally {
      releaseSlot();
    }
  }

  return async (request, response) => {
    const parameters = readParameters(request);
    // Only signs that a header may carry.
    response.setHeader('X-ClickHouse-Query-Id', parameters.queryId.replace(/[^\x20-\x7e]/g, '?'));
    const query = parts.running.begin(parameters, response);
    const answer = createQueryResponse(request, response, {
      compress: parameters.compressResponse,
      version: parts.engine.version,
      signal: query.signal,
    });
    try {
      query.checkUnique();
      const summary = await run(request, parameters, answer, query.signal);
      // Before the response ends, because the client may reuse the query id immediately.
      query.statementEnded();
      await answer.finish(summary);
    } catch (error) {
      query.statementEnded();
      await answer.fail(ClickHouseException.from(error));
    } finally {
      query.end();
    }
  };
}
