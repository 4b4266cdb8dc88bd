import { createLimiter } from '@cellarman/concurrency';
import { INTERNAL_ERROR_MESSAGE } from '@cellarman/http-api';
import type { Logger } from '@cellarman/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteBudget } from '../shed-load/byte-budget.ts';
import type { Responses } from '../http/responses.ts';
import type { CheckReading } from '../validate/check-reading.ts';
import type { KnownKey } from '../key-cache/known-key.ts';
import type { LimitRate } from '../rate-limit/limit-rate.ts';
import { RateExceeded } from '../rate-limit/charge.ts';
import type { Charge } from '../rate-limit/charge.ts';
import { messageHeaders } from '../publish/message-headers.ts';
import type { RejectionCounts } from '../rejections/rejection-counts.ts';
import type { ServerClock } from '../server-clock.ts';
import type { StartTrace } from '../trace.ts';
import type { IncomingBatch } from './accept-batch.ts';
import { BatchRejection } from './batch-rejection.ts';
import { collectBytes } from './receive/collect-bytes.ts';
import type { ByteCollector } from './receive/collect-bytes.ts';
import { costOfBytes, debtAfter } from './cost-of-bytes.ts';
import { decompress } from './receive/decompress.ts';
import { createExceededBatches } from './exceeded-batches.ts';
import { createLineArena } from './scan/line-arena.ts';
import type { PublishBatch } from './publish-batch.ts';
import { receiveBody } from './receive/receive-body.ts';
import { createRejectedReadings } from './scan/rejected-readings.ts';
import { openReservation } from './reservation.ts';
import type { Reservation } from './reservation.ts';
import { scanBatch } from './scan/scan-batch.ts';
import type { YieldToEventLoop } from './yield-to-event-loop.ts';

/** As many as Node has threads to decompress. Each takes up to 16 MiB besides what the budget knows of: the window of brotli. */
const MAX_EXPENSIVE = 4;
/** Larger ones take several turns of the event loop. */
const EXPENSIVE_BYTES = 65_536;

export interface IngestBatchOptions {
  responses: Responses;
  checkReading: CheckReading;
  rate: Pick<LimitRate, 'openCharge' | 'rejectExceeded' | 'rateHeaders'>;
  /** Calls `done`, or responds with 503. */
  takeSlot: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;
  publishBatch: PublishBatch;
  startTrace: StartTrace;
  yieldToEventLoop: YieldToEventLoop;
  clock: ServerClock;
  rejections: Pick<RejectionCounts, 'note'>;
  /** What all bodies share. */
  bodies: ByteBudget;
  limits: { maxBytes: number; maxReadings: number; maxReadingBytes: number };
  logger: Logger;
}

/** Body → readings → messages → response. A step that rejects the whole batch throws a `BatchRejection`. */
export function createIngestBatch(options: IngestBatchOptions) {
  const {
    responses,
    checkReading,
    rate,
    takeSlot,
    publishBatch,
    startTrace,
    yieldToEventLoop,
    clock,
    rejections,
    bodies,
    limits,
    logger,
  } = options;
  /**
   * Serializes the batches of a key. A batch pays while it is processed, so concurrent batches would all be processed with
   * tokens that suffice for one of them.
   */
  const expensive = createLimiter({ running: MAX_EXPENSIVE, runningPerOwner: 1 });
  const exceededBatches = createExceededBatches();

  async function ingest(request: FastifyRequest, reply: FastifyReply, memory: Reservation): Promise<void> {
    const key = request.apiKey as KnownKey;
    const batch = request.batch as IncomingBatch;
    const charge = rate.openCharge(request);
    const sent = await receive(request, batch, memory, charge);

    const receivedMs = clock.now();
    const receivedAt = clock.iso(receivedMs);
    const rejected = createRejectedReadings(memory, (code, error, rack) =>
      rejections.note(key.record.id, code, error, rack),
    );
    const trace = startTrace(request.raw.headers, receivedMs, 'ingest batch');

    const scan = async () => {
      const body = await plainBody(sent, batch, memory, charge);
      const lines = createLineArena({ receivedAt, keyId: key.record.id, bodyLength: body.length, memory });
      const scanned = await scanBatch({
        length: body.length,
        reader: batch.read(body, limits.maxReadingBytes),
        key,
        checkReading,
        receivedMs,
        headers: messageHeaders(trace),
        lines,
        rejected,
        maxReadings: limits.maxReadings,
        charge,
        yieldToEventLoop,
      });
      // A batch that is rejected for what is in it has cost the work all the same.
      await charge.raiseTo(scanned.count);
      if (scanned.rejection !== undefined) throw scanned.rejection;
      return { scanned, lineBytes: lines.bytes };
    };
    const { id } = key.record;
    const { length } = sent.bytes();
    const isExpensive = batch.encoding !== undefined || length > EXPENSIVE_BYTES;
    // The one before it may have exceeded the rate limit.
    const scanInTurn = () =>
      exceededBatches.guard(id, length, async () => {
        await exceededBatches.assertPayable(id, length, charge);
        return scan();
      });
    const { scanned, lineBytes } = await (isExpensive ? expensive.run({ owner: id }, scanInTurn) : scan());

    let hasSlot = false as boolean;
    takeSlot(request, reply, () => (hasSlot = true));
    if (!hasSlot) return;
    if (scanned.messages.length > 0) {
      const published = publishBatch(scanned, trace, receivedMs, rejected);
      // From here on the lanes count the lines.
      memory.shrink(lineBytes);
      if ((await published) === 0) {
        responses.rejectForNow(reply, 'Kafka has not acknowledged any reading; sending them again is safe');
        return;
      }
    }
    const headers = rate.rateHeaders(request);
    if (rejected.count === 0) batch.responses.succeed(reply, scanned.count, { receivedAt, headers });
    else await batch.responses.list(reply, scanned.count - rejected.count, rejected, { receivedAt, headers });
  }

  /** The body as it was sent. */
  async function receive(
    request: FastifyRequest,
    { length }: IncomingBatch,
    memory: Reservation,
    charge: Charge,
  ): Promise<ByteCollector> {
    await charge.raiseTo(costOfBytes(length ?? 0));
    // `shedLoad` has reserved the body as it is sent; where nobody knows its length, as much as a reading may have.
    const paid = length ?? limits.maxReadingBytes;
    const collector = collectBytes({ paid, limit: limits.maxBytes, memory });
    await receiveBody(request.raw, collector);
    await charge.raiseTo(costOfBytes(collector.bytes().length));
    return collector;
  }

  async function plainBody(
    sent: ByteCollector,
    { encoding }: IncomingBatch,
    memory: Reservation,
    charge: Charge,
  ): Promise<Buffer> {
    if (encoding === undefined) return sent.bytes();
    const pay = (bytes: number) => charge.raiseTo(costOfBytes(bytes));
    try {
      const plain = await decompress(sent.bytes(), encoding, { limit: limits.maxBytes, memory, pay });
      memory.shrink(sent.reserved);
      return plain.bytes();
    } catch (error) {
      await charge.debit(debtAfter(error, encoding));
      throw error;
    }
  }

  return async function ingestBatch(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { id } = (request.apiKey as KnownKey).record;
    // Where nobody knows the length it may be as long as any.
    const { length = Infinity } = request.batch as IncomingBatch;
    const memory = openReservation(bodies, id);
    try {
      await exceededBatches.guard(id, length, () => ingest(request, reply, memory));
    } catch (error) {
      if (error instanceof BatchRejection) {
        if (error.code === 'unavailable') responses.rejectForNow(reply, error.message);
        else if (request.raw.complete) responses.reject(reply, error.code, error.message);
        else responses.rejectAndClose(reply, error.code, error.message);
        return;
      }
      if (error instanceof RateExceeded) {
        rate.rejectExceeded(request, reply, error);
        return;
      }
      logger.error({ err: error }, 'a batch failed');
      responses.reject(reply, 'internal_error', INTERNAL_ERROR_MESSAGE);
    } finally {
      // The response takes memory until the client has read it or has disconnected.
      if (reply.raw.closed) memory.release();
      else reply.raw.on('close', () => memory.release());
    }
  };
}
