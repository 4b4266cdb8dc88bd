import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { OBSERVATIONS } from '@cellarman/contracts';
import { abortOnDisconnect, ApiError } from '@cellarman/http-api';
import type { RackLimit } from '../access/reader.ts';
import { selectCounts } from '../counts/select-counts.ts';
import type { RoutesOptions } from '../routes-options.ts';
import { toMilliseconds } from '../time/instant.ts';
import { requireAlertsToken } from './require-alerts-token.ts';
import { selectKegValues } from './select-keg-values.ts';
import { selectSilentRacks } from './select-silent-racks.ts';

export interface ObservationRoutesOptions extends RoutesOptions {
  /** Of key-service. Without one every request is rejected. */
  alertsTokens: readonly string[];
}

/** In the shares of the query slots, the evaluation of alert rules counts as one reader. */
const READER = { id: 'alerts' };
const MINUTE_SECONDS = 60;

const about = (summary: string) => ({ tags: ['internal'], security: [{ alertsToken: [] }], summary });

/** What key-service requests to evaluate alert rules. */
export const observationRoutes: FastifyPluginAsyncTypebox<ObservationRoutesOptions> = async (
  app,
  { alertsTokens, selectAs, clock },
) => {
  requireAlertsToken(app, alertsTokens);

  app.get(
    OBSERVATIONS.silentRacks.path,
    {
      logLevel: 'warn',
      schema: {
        ...about('Racks of a cellar that have been silent.'),
        querystring: OBSERVATIONS.silentRacks.query,
        response: { 200: OBSERVATIONS.silentRacks.response },
      },
    },
    async ({ query }, reply) =>
      selectSilentRacks(
        selectAs(READER),
        { ...query, racks: racksOf(query), now: clock() },
        abortOnDisconnect(reply),
      ),
  );

  app.get(
    OBSERVATIONS.kegValues.path,
    {
      logLevel: 'warn',
      schema: {
        ...about('Racks of a cellar whose latest value of a keg is outside of limits.'),
        querystring: OBSERVATIONS.kegValues.query,
        response: { 200: OBSERVATIONS.kegValues.response },
      },
    },
    async ({ query }, reply) => {
      if (query.above === undefined && query.below === undefined) {
        throw new ApiError('invalid_request', 'querystring must have above or below');
      }
      return selectKegValues(
        selectAs(READER),
        { ...query, racks: racksOf(query), now: clock() },
        abortOnDisconnect(reply),
      );
    },
  );

  app.get(
    OBSERVATIONS.receivedCount.path,
    {
      logLevel: 'warn',
      schema: {
        ...about('How many readings of a cellar were received in a time range.'),
        querystring: OBSERVATIONS.receivedCount.query,
        response: { 200: OBSERVATIONS.receivedCount.response },
      },
    },
    async ({ query: { cellar, from, to } }, reply) => {
      const range = { from: new Date(toMilliseconds('from', from)), to: new Date(toMilliseconds('to', to)) };
      const buckets = await selectCounts(
        selectAs(READER),
        { cellar, limit: { rack: null, prefix: null }, step: MINUTE_SECONDS, now: clock(), ...range },
        abortOnDisconnect(reply),
      );
      return { readings: buckets.reduce((sum, { readings }) => sum + readings, 0) };
    },
  );
};

function racksOf(query: { rack?: string; rackPrefix?: string }): RackLimit {
  return { rack: query.rack ?? null, prefix: query.rackPrefix ?? null };
}
