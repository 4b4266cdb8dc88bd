import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { abortOnDisconnect, nextCursorSchema, pageQuery, ApiError } from '@cellarman/http-api';
import { cellarSchema } from '@cellarman/reading';
import { Type } from '@sinclair/typebox';
import { readerOf } from '../access/authenticate.ts';
import { limitTo } from '../access/reader.ts';
import type { Reader } from '../access/reader.ts';
import { security } from '../open-api.ts';
import type { RoutesOptions } from '../routes-options.ts';
import { seriesQuery } from '../series-query.ts';
import { instantSchema } from '../time/instant.ts';
import { rangeQuery, toTimeRange } from '../time/range.ts';
import { admitStream } from './admit-stream.ts';
import { chooseFormat, FORMATS, isSafeCsv } from './reading-formats.ts';
import { selectReadings, streamReadings } from './select-readings.ts';
import type { RowFormat } from './select-readings.ts';

/** A JSON page is built in memory; rows that are streamed are not. */
const MAX_IN_ONE_PIECE = 10_000;
const MAX_STREAMED = 1_000_000;

const readingSchema = Type.Object({
  rack: Type.String(),
  keg: Type.String(),
  timestamp: Type.String({ ...instantSchema, description: 'With nine fractional digits.' }),
  value: Type.Number(),
  receivedAt: instantSchema,
});

/** The readings themselves. */
export const readingRoutes: FastifyPluginAsyncTypebox<RoutesOptions> = async (app, options) => {
  const { selectAs, streams, keyService } = options;
  app.get(
    '/api/v1/query/cellars/:cellar/readings',
    {
      schema: {
        tags: ['readings'],
        security,
        summary: 'List readings in a time range.',
        description:
          'Ordered by rack, keg, timestamp and value. Pages stay consistent while readings arrive: a page continues after the ' +
          'last reading of the page before. As NDJSON and CSV they are streamed, and the header `Link` with `rel="next"` ' +
          'is the URL of the next page. A truncated response has failed: repeat the request.',
        params: Type.Object({ cellar: cellarSchema }),
        querystring: Type.Object(
          {
            ...seriesQuery,
            ...rangeQuery,
            order: Type.Union([Type.Literal('asc'), Type.Literal('desc')], {
              default: 'asc',
              description: 'Descending order is available for one series only, with `rack` and `keg`.',
            }),
            format: Type.Optional(
              Type.Union(
                FORMATS.map((format) => Type.Literal(format)),
                {
                  description:
                    'Instead of the header `Accept`. `csv-safe` has a column `unit`, from the keg settings, and puts an apostrophe before what a spreadsheet would run as a formula in the names of racks and kegs and in units, `csv-plain` has no units and leaves names as they are; `csv` is the former for people who are signed in, and the latter for API keys.',
                },
              ),
            ),
            ...pageQuery({ maxLimit: MAX_STREAMED, defaultLimit: 1_000 }),
          },
          { additionalProperties: false },
        ),
        response: {
          200: {
            description: `As JSON ${MAX_IN_ONE_PIECE} readings per page at most, otherwise ${MAX_STREAMED}, and those that arrive between them meanwhile.`,
            content: {
              'application/json': {
                schema: Type.Object({ readings: Type.Array(readingSchema), nextCursor: nextCursorSchema }),
              },
              'application/x-ndjson': { schema: Type.String({ description: 'One reading per line.' }) },
              'text/csv': { schema: Type.String({ description: 'With a header row.' }) },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { cellar } = request.params;
      const { query } = request;
      const limit = limitTo(readerOf(request), cellar, query.rack);
      const wanted = { cellar, limit, range: toTimeRange(query), list: query };
      if (query.order === 'desc' && (query.rack === undefined || query.keg === undefined)) {
        throw new ApiError('invalid_request', 'order=desc needs a rack and a keg');
      }
      const format = chooseFormat(query.format, request.headers.accept);
      if (format === 'json') {
        if (query.limit > MAX_IN_ONE_PIECE) {
          throw new ApiError(
            'invalid_request',
            `limit must be <= ${MAX_IN_ONE_PIECE} for JSON; NDJSON and CSV take more`,
          );
        }
        return selectReadings(selectAs(readerOf(request)), wanted, abortOnDisconnect(reply));
      }
      const signal = abortOnDisconnect(reply);
      await admitStream({ request, reply, signal }, streams, (reader) => {
        const { rack, prefix } = limitTo(reader, cellar, query.rack);
        if (rack !== limit.rack || prefix !== limit.prefix)
          throw new ApiError('rack_mismatch', 'The API key is restricted to other racks.');
      });
      const rows = toRows(format, readerOf(request));
      const units = rows === 'csv-safe' ? await keyService.kegUnits(cellar) : [];
      const { lines, nextCursor } = await streamReadings(
        selectAs(readerOf(request)),
        { ...wanted, units },
        rows,
        signal,
      );
      if (nextCursor !== null) reply.header('link', `<${nextUrl(request.url, nextCursor)}>; rel="next"`);
      reply.header('vary', 'accept');
      reply.type(
        format === 'ndjson'
          ? 'application/x-ndjson; charset=utf-8'
          : 'text/csv; charset=utf-8; header=present',
      );
      // The types know only a response that is sent as one object.
      return reply.send(Readable.from(lines, { objectMode: false }) as never);
    },
  );
};

function toRows(format: 'ndjson' | 'csv' | 'csv-safe' | 'csv-plain', reader: Reader): RowFormat {
  if (format === 'ndjson') return 'ndjson';
  return isSafeCsv(format, reader) ? 'csv-safe' : 'csv-plain';
}

/** The same query with another cursor, relative to the URL that the client requested. */
function nextUrl(url: string, cursor: string): string {
  const parameters = new URLSearchParams(url.split('?', 2)[1] ?? '');
  parameters.set('cursor', cursor);
  return `?${parameters.toString()}`;
}
