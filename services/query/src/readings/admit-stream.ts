import { boundStream } from '@cellarman/http-api';
import type { StreamLimits } from '@cellarman/http-api';
import type { Telemetry } from '@cellarman/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findReaderAgain, readerOf } from '../access/authenticate.ts';
import { keepAuthorized } from '../access/keep-authorized.ts';
import type { Reader } from '../access/reader.ts';
import { toRejection } from '../clickhouse/failure.ts';
import type { Slots } from '../clickhouse/slots.ts';

export interface StreamOptions {
  /** Of the responses that are sent row by row. Each takes memory, also when ClickHouse has finished. */
  open: Slots;
  limits: StreamLimits;
  /** How often it is checked that the reader may still read. */
  authorizeEveryMs: number;
  logger: Telemetry['logger'];
}

/**
 * Takes a place for a response that is sent row by row, and cuts it off when its client is too slow or may no longer read.
 *
 * @param authorize throws when a reader may not have this response
 * @throws {ApiError} `unavailable`
 */
export async function admitStream(
  { request, reply, signal }: { request: FastifyRequest; reply: FastifyReply; signal: AbortSignal },
  { open, limits, authorizeEveryMs, logger }: StreamOptions,
  authorize: (reader: Reader) => void,
): Promise<void> {
  const { id } = readerOf(request);
  const release = await open.acquire({ owner: id, isStream: false, signal }).catch((error: unknown) => {
    throw toRejection(error, signal);
  });
  reply.raw.once('close', release);
  const onCut = (reason: unknown) =>
    logger.info(
      { reader: id, reason: reason instanceof Error ? reason.message : reason },
      'a response was truncated',
    );
  boundStream(reply, limits, onCut);
  keepAuthorized(reply, async () => authorize(await findReaderAgain(request)), {
    everyMs: authorizeEveryMs,
    onCut,
  });
}
