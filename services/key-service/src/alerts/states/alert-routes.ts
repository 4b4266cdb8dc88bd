import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { nextCursorSchema, pageQuery } from '@cellarman/http-api';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { requesterOf } from '../../access/requester.ts';
import { alertViewSchema } from './alert-schema.ts';
import type { AlertsRepository } from './alerts-repository.ts';

const tags = ['alerts'];

/** Alerts of a cellar, and how many fire everywhere. */
export const alertRoutes: FastifyPluginAsyncTypebox<{ alerts: AlertsRepository }> = async (
  app,
  { alerts },
) => {
  app.get(
    '/api/v1/cellars/:cellar/alerts',
    {
      config: { access: 'cellar' },
      schema: {
        tags,
        summary: 'List the alerts of a cellar, the latest first.',
        params: Type.Object({ cellar: cellarSchema }),
        querystring: Type.Object(
          {
            state: Type.Union([Type.Literal('open'), Type.Literal('fired')], {
              default: 'open',
              description:
                '`open`: pending and firing ones. `fired`: firing and resolved ones of the last 90 days.',
            }),
            ...pageQuery(),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object({ alerts: Type.Array(alertViewSchema), nextCursor: nextCursorSchema }),
        },
      },
    },
    async (request) => alerts.list(request.params.cellar, request.query),
  );

  app.get(
    '/api/v1/alerts/summary',
    {
      config: { access: 'everybody' },
      schema: {
        tags,
        summary: 'Count firing alerts by cellar.',
        response: {
          200: Type.Object({
            firing: Type.Integer(),
            cellars: Type.Array(Type.Object({ cellar: cellarSchema, firing: Type.Integer() })),
          }),
        },
      },
    },
    async (request) => alerts.countFiring(requesterOf(request).cellars),
  );
};
