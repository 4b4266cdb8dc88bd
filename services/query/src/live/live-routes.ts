import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { abortOnDisconnect, ApiError } from '@cellarman/http-api';
import { cellarSchema, readingSchema, TIMESTAMP_PATTERN } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { readerOf } from '../access/authenticate.ts';
import { limitTo } from '../access/reader.ts';
import { security } from '../open-api.ts';
import { admitStream } from '../readings/admit-stream.ts';
import type { RoutesOptions } from '../routes-options.ts';
import { seriesQuery } from '../series-query.ts';
import { toClickHouse } from '../time/instant.ts';
import { MAX_READINGS_PER_EVENT, streamEventSchema } from './arrival.ts';
import type { ArrivalsEvent } from './arrival.ts';
import { createEventStream } from './event-stream.ts';
import { selectNewest } from './select-newest.ts';
import { createViewer } from './viewer.ts';

const NOTHING: ArrivalsEvent = { readings: [], more: 0, isComplete: true };

/** Readings as they become visible. */
export const liveRoutes: FastifyPluginAsyncTypebox<RoutesOptions> = async (
  app,
  { selectAs, live, clock },
) => {
  app.get(
    '/api/v1/query/cellars/:cellar/live',
    {
      schema: {
        tags: ['readings'],
        security,
        summary: 'Stream readings as they become visible, as Server-Sent Events.',
        description:
          'Begins with the newest readings of the last ten minutes. Each event `readings` has the newest readings that ' +
          'became visible since the event before, and the number of the others, so that neither a fast cellar nor a slow ' +
          'client falls behind. After a reconnect with `Last-Event-ID` the stream begins with what was missed, up to ten ' +
          'minutes; readings of the last minute before may come again. Comments are sent when there is nothing else. A ' +
          'stream ends within `STREAM_MAX_SECONDS`: reconnect, as `EventSource` does.',
        params: Type.Object({ cellar: cellarSchema }),
        headers: Type.Object({
          'last-event-id': Type.Optional(
            Type.String({ pattern: TIMESTAMP_PATTERN, description: 'The `id` of the last event.' }),
          ),
        }),
        querystring: Type.Object(
          {
            ...seriesQuery,
            rackPrefix: Type.Optional(
              Type.String({
                ...readingSchema.properties.rack,
                description: 'Only racks whose names begin with this.',
              }),
            ),
            limit: Type.Integer({
              minimum: 0,
              maximum: MAX_READINGS_PER_EVENT,
              default: 50,
              description: 'Readings in an event. With 0, events only count them.',
            }),
          },
          { additionalProperties: false },
        ),
        response: {
          200: {
            description: 'Events `readings`, until the client disconnects.',
            content: { 'text/event-stream': { schema: streamEventSchema } },
          },
        },
      },
    },
    async (request, reply) => {
      const { cellar } = request.params;
      const { limit: maxReadings, ...filter } = request.query;
      const limit = limitTo(readerOf(request), cellar, filter.rack);
      const after = request.headers['last-event-id'];
      if (after !== undefined) toClickHouse('Last-Event-ID', after);

      const signal = abortOnDisconnect(reply);
      await admitStream({ request, reply, signal }, live.streams, (reader) => {
        const { rack, prefix } = limitTo(reader, cellar, filter.rack);
        if (rack !== limit.rack || prefix !== limit.prefix)
          throw new ApiError('rack_mismatch', 'The API key is restricted to other racks.');
      });
      const viewer = createViewer({ limit, filter, maxReadings });
      const stream = createEventStream(() => viewer.take());
      signal.addEventListener('abort', () => stream.body.destroy());
      try {
        live.add(stream);
        const leave = await live.feeds.watch(cellar, {
          onArrivals(arrivals) {
            viewer.offer(arrivals);
            stream.wake();
          },
          onRejected() {
            if (!readerOf(request).isPerson) return;
            viewer.offerRejections();
            stream.wake();
          },
          onFailed: () => stream.end(),
        });
        if (stream.body.closed) leave();
        else stream.body.once('close', leave);

        // What became visible before the feed began is in the first event, and what comes later is in the feed.
        const query = { cellar, limit, filter, count: maxReadings, after };
        const first =
          maxReadings === 0 ? NOTHING : await selectNewest(selectAs(readerOf(request)), query, signal);
        viewer.begin(first, first.readings[0]?.storedAt ?? after ?? clock().toISOString());
      } catch (error) {
        stream.body.destroy();
        throw error;
      }
      reply.header('x-accel-buffering', 'no');
      reply.type('text/event-stream; charset=utf-8');
      stream.wake();
      // The types know the data of an event only.
      return reply.send(stream.body as never);
    },
  );
};
