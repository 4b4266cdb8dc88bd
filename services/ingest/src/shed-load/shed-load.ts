import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Responses } from '../http/responses.ts';
import type { KnownKey } from '../key-cache/known-key.ts';
import type { IngestMetrics } from '../metrics.ts';
import type { Saturation } from './saturation.ts';

export interface ShedLoadOptions {
  responses: Responses;
  /** The routes share it. */
  saturation: Saturation;
  /** Of this route. */
  maxBodyBytes: number;
  metrics: Pick<IngestMetrics, 'shed'>;
}

const RESERVED_BYTES = Symbol('bytes that are reserved for the body');
const OWNER = Symbol('the key that holds them, and the slot for this reading');
const SLOT_SINCE = Symbol('when it got its slot');

interface CountedResponse extends ServerResponse {
  [RESERVED_BYTES]?: number;
  [OWNER]?: string;
  [SLOT_SINCE]?: number;
}

const OVERLOADED = 'The server is overloaded. Retry after Retry-After';

/**
 * Rejects before the work is done what cannot be done in time: by the headers alone, when as many readings wait as can be
 * acknowledged soon, or when the memory for bodies is used up. A slot is taken only when the body is complete, so that slow
 * clients hold nothing but the bytes that they announced.
 */
export function createShedLoad({ responses, saturation, maxBodyBytes, metrics }: ShedLoadOptions) {
  const { limit, slots, pace, bodies } = saturation;

  function reject(reply: FastifyReply): void {
    limit.rejected();
    metrics.shed();
    pace.follow(reply);
    responses.rejectForNow(reply, OVERLOADED);
  }

  function releaseBody(this: CountedResponse): void {
    bodies.release(this[OWNER] ?? '', this[RESERVED_BYTES] ?? 0);
  }

  function releaseSlot(this: CountedResponse): void {
    slots.release(this[OWNER] ?? '');
    if (!this.headersSent || this.statusCode >= 300) return;
    limit.acknowledged(performance.now() - (this[SLOT_SINCE] ?? 0));
    pace.acknowledged(this.req.socket);
  }

  /** By the headers. */
  function shedLoad(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    if (hasLeft(reply)) return;
    const now = performance.now();
    limit.adapt(now, slots.taken);
    pace.adapt(now);
    // Without a length the body may become as large as a body may be.
    const bytes = Number(request.raw.headers['content-length'] ?? maxBodyBytes);
    const owner = keyId(request);
    if (!slots.hasRoom(owner, limit.limit) || !bodies.reserve(owner, bytes)) {
      reject(reply);
      return;
    }
    const response: CountedResponse = reply.raw;
    response[RESERVED_BYTES] = bytes;
    response[OWNER] = owner;
    response.on('close', releaseBody);
    done();
  }

  /** When the body is there. It may have taken its time, so there may be no room any more. */
  function takeSlot(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    if (hasLeft(reply)) return;
    const owner = keyId(request);
    if (!slots.hasRoom(owner, limit.limit)) {
      reject(reply);
      return;
    }
    slots.take(owner);
    const response: CountedResponse = reply.raw;
    response[SLOT_SINCE] = performance.now();
    response.on('close', releaseSlot);
    done();
  }

  return { shedLoad, takeSlot };
}

/**
 * Returns whether the client disconnected during its key lookup, its rate limit check or decompression. `close` was emitted
 * then and will not be again, so a slot taken now would never be released; and the remaining work is for nobody.
 */
function hasLeft(reply: FastifyReply): boolean {
  if (!reply.raw.closed) return false;
  reply.hijack();
  return true;
}

function keyId(request: FastifyRequest): string {
  return (request.apiKey as KnownKey).record.id;
}
