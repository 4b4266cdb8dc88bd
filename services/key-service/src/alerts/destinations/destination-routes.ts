import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { actorOf } from '../../access/requester.ts';
import {
  destinationChangeSchema,
  destinationViewSchema,
  newDestinationSchema,
} from './destination-schema.ts';
import type { DestinationsRepository } from './destinations-repository.ts';

const tags = ['alerts'];
const params = Type.Object({ cellar: cellarSchema });
const idParams = Type.Object({ cellar: cellarSchema, id: Type.String({ format: 'uuid' }) });
/** As other settings of a cellar. */
const config = { access: 'owner', errors: ['not_found', 'conflict'] } as const;

/** Where notifications about alerts are sent: create, list, change, test, delete. */
export const destinationRoutes: FastifyPluginAsyncTypebox<{ destinations: DestinationsRepository }> = async (
  app,
  { destinations },
) => {
  app.get(
    '/api/v1/cellars/:cellar/alert-destinations',
    {
      config: { access: 'cellar' },
      schema: {
        tags,
        summary: 'List the destinations of a cellar by name.',
        params,
        response: {
          200: Type.Object({
            destinations: Type.Array(destinationViewSchema),
            canEmail: Type.Boolean({ description: 'Whether the installation has a mail server.' }),
          }),
        },
      },
    },
    async (request) => destinations.list(request.params.cellar),
  );

  app.post(
    '/api/v1/cellars/:cellar/alert-destinations',
    {
      config,
      schema: {
        tags,
        summary: 'Create a destination. Only this response contains the signing secret of a webhook.',
        description: 'A cellar has at most 50.',
        params,
        body: newDestinationSchema,
        response: {
          201: Type.Object({
            destination: destinationViewSchema,
            secret: Type.Union([Type.String(), Type.Null()], {
              description: 'Verifies signatures, see https://www.standardwebhooks.com. null for email.',
            }),
          }),
        },
      },
    },
    async (request, reply) => {
      const created = await destinations.create(request.params.cellar, request.body, actorOf(request));
      return reply.code(201).send(created);
    },
  );

  app.patch(
    '/api/v1/cellars/:cellar/alert-destinations/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change the name, the URL or the recipients of a destination.',
        description:
          'A webhook keeps its signing secret. Undelivered notifications are sent to the new target.',
        params: idParams,
        body: destinationChangeSchema,
        response: { 200: destinationViewSchema },
      },
    },
    async (request) => {
      const { cellar, id } = request.params;
      return destinations.change(cellar, id, request.body, actorOf(request));
    },
  );

  app.post(
    '/api/v1/cellars/:cellar/alert-destinations/:id/test',
    {
      config,
      schema: {
        tags,
        summary: 'Send a test notification.',
        description: 'It is sent once. `latest` of the destination has the result, within 10 seconds.',
        params: idParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { cellar, id } = request.params;
      await destinations.test(cellar, id, actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/v1/cellars/:cellar/alert-destinations/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a destination, with its secrets and its pending notifications.',
        params: idParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { cellar, id } = request.params;
      await destinations.delete(cellar, id, actorOf(request));
      return reply.code(204).send(null);
    },
  );
};
