import {
  BATCH_ENCODINGS,
  BATCH_PATH,
  ERROR_CATALOGUE,
  INGEST_PATH,
  MAX_BATCH_READINGS_DEFAULT,
  NDJSON_TYPES,
} from '@cellarman/contracts';
import type { BatchEncoding, BatchError } from '@cellarman/contracts';
import { ApiError, batchEncodingOf, mediaTypeOf } from '@cellarman/http-api';
import type { Reading } from '@cellarman/reading';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkReading, MAX_READING_BYTES } from '../check-reading.ts';
import type { ReadingRejection } from '../check-reading.ts';
import type { Config } from '../config.ts';
import type { LocalKey, LocalKeys } from '../local-keys.ts';
import type { Spool } from '../spool.ts';
import type { Counts } from '../status/metrics.ts';
import { createAuthenticate } from './authenticate.ts';
import { decompress, splitBatch, textOf } from './read-batch.ts';

/** Never ingest's 200: the reading is on the disk of the gateway, not in Kafka. */
const QUEUED_MESSAGE = 'Queued on disk by the gateway, not yet received by ingest';
/** A full spool takes a while, and a broken disk needs a person. */
const RETRY_AFTER_SECONDS = 10;

export interface IngestRoutesOptions {
  config: Config;
  keys: LocalKeys;
  spool: Pick<Spool, 'put'>;
  counts: Counts;
}

/** The HTTP API of ingest, with the same requests and errors. Only the successful responses differ. */
export function ingestRoutes(app: FastifyInstance, { config, keys, spool, counts }: IngestRoutesOptions) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', createAuthenticate(keys));

  async function queue(readings: readonly Reading[]): Promise<string> {
    try {
      await spool.put(readings);
    } catch (error) {
      counts.http.unavailable.value += readings.length;
      throw new ApiError(
        'unavailable',
        `The gateway cannot store readings now: ${(error as Error).message}`,
        {
          cause: error,
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        },
      );
    }
    counts.http.queued.value += readings.length;
    return new Date().toISOString();
  }

  function checkPiece(piece: Buffer | string, key: LocalKey): Reading | ReadingRejection {
    try {
      return checkReading(typeof piece === 'string' ? piece : textOf(piece), key, config.CELLAR);
    } catch (error) {
      if (error instanceof ApiError) return { code: 'invalid_json', error: error.message };
      throw error;
    }
  }

  app.post(
    INGEST_PATH,
    { bodyLimit: MAX_READING_BYTES, onRequest: requireType(['application/json'], []) },
    async (request, reply) => {
      const text = textOf(bodyOf(request));
      const reading = checkReading(text, request.localKey, config.CELLAR);
      if ('code' in reading) {
        counts.http.rejected.value += 1;
        throw new ApiError(reading.code, reading.error);
      }
      const timestamp = await queue([reading]);
      return reply.code(202).send({ status: 'queued', message: QUEUED_MESSAGE, timestamp });
    },
  );

  app.post(
    BATCH_PATH,
    {
      bodyLimit: config.MAX_BATCH_BYTES,
      onRequest: requireType(['application/json', ...NDJSON_TYPES], BATCH_ENCODINGS),
    },
    async (request, reply) => {
      const { headers } = request;
      const encoding = batchEncodingOf(headers['content-encoding']);
      const sent = bodyOf(request);
      const body = encoding ? await decompress(sent, encoding, config.MAX_BATCH_BYTES) : sent;
      const isArray = mediaTypeOf(headers['content-type']) === 'application/json';
      const pieces = splitBatch(body, isArray ? 'array' : 'lines');
      if (pieces.length > MAX_BATCH_READINGS_DEFAULT)
        throw new ApiError(
          'payload_too_large',
          `A batch must have at most ${MAX_BATCH_READINGS_DEFAULT} readings`,
        );
      const readings: Reading[] = [];
      const errors: BatchError[] = [];
      for (const [index, piece] of pieces.entries()) {
        const reading = checkPiece(piece, request.localKey);
        if ('code' in reading)
          errors.push({ index, ...reading, retryable: ERROR_CATALOGUE[reading.code].retryable });
        else readings.push(reading);
      }
      counts.http.rejected.value += errors.length;
      const timestamp = readings.length > 0 ? await queue(readings) : new Date().toISOString();
      const accepted = readings.length;
      if (errors.length === 0)
        return reply.code(202).send({ status: 'queued', message: QUEUED_MESSAGE, accepted, timestamp });
      const partial = { status: 'partial', accepted, rejected: errors.length, timestamp, errors };
      return accepted === 0
        ? reply.code(400).send(partial)
        : reply.code(207).send({ ...partial, message: QUEUED_MESSAGE });
    },
  );
}

function bodyOf(request: FastifyRequest): Buffer {
  return (request.body as Buffer | undefined) ?? Buffer.alloc(0);
}

/** Rejects by the headers alone, before the body is read. */
function requireType(types: readonly string[], encodings: readonly BatchEncoding[]) {
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const { headers } = request;
    const encoding = batchEncodingOf(headers['content-encoding']);
    if (!types.includes(mediaTypeOf(headers['content-type']) ?? ''))
      done(new ApiError('unsupported_media_type', `Content-Type must be ${types.join(' or ')}`));
    else if (encoding === null || (encoding !== undefined && !encodings.includes(encoding)))
      done(
        new ApiError(
          'unsupported_media_type',
          `Content-Encoding must be ${['absent', ...encodings].join(' or ')}`,
        ),
      );
    else done();
  };
}
