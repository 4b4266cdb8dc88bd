import {
  AUTHENTICATION_ERRORS,
  ERROR_CATALOGUE,
  METRICS_PATH,
  SUCCESS_MESSAGE,
  WRITE_PATHS,
} from '@cellarman/contracts';
import type { ErrorCode, IngestStored } from '@cellarman/contracts';
import { isLiteralPath } from '@cellarman/lifecycle';
import type { FastifyReply } from 'fastify';
import type { KnownKey } from '../key-cache/known-key.ts';
import { formatOf, writeStatus } from './otlp-protocol.ts';
import type { RejectionCounts } from '../rejections/rejection-counts.ts';
import { closeAfterResponse } from './linger.ts';
import { JSON_TYPE, sendPastFastify } from './send-past-fastify.ts';

export type AuthenticationError = keyof typeof AUTHENTICATION_ERRORS;

/**
 * How a response is counted: `success`, a code of the catalogue, `unauthorized` for the 401 without a code, and for batches
 * `partial` where the status is 2xx and some readings are rejected, and `rejected` where each has its own rejection.
 */
export type Outcome = 'success' | 'partial' | 'rejected' | 'unauthorized' | ErrorCode;

/** Sends every response of the ingest routes, so that each has its documented shape and is counted once. */
export interface Responses {
  /**
   * @param receivedAt ISO 8601 with milliseconds, the same as in the topic
   * @param stored for a client that prefers a representation
   */
  succeed(reply: FastifyReply, receivedAt: string, stored?: IngestStored): void;
  /** @param rack for the people who look after the key; known where the reading itself was good */
  reject(reply: FastifyReply, code: ErrorCode, error: string, rack?: string): void;
  /**
   * A rejection before the body was read. The connection is closed: nobody reads what a client that sends the wrong thing
   * still has on the way.
   */
  rejectAndClose(reply: FastifyReply, code: ErrorCode, error: string): void;
  /** 429. A client that ignores Retry-After gets thousands of these a second, so they bypass Fastify. */
  rejectRate(reply: FastifyReply, error: string, headers: readonly string[]): void;
  /** 401, to the letter of the specification. */
  rejectKey(reply: FastifyReply, reason: AuthenticationError): void;
  /** 503 with a jittered Retry-After, so that the clients of a fleet do not retry at the same moment. */
  rejectForNow(reply: FastifyReply, error: string): void;
}

const RETRY_SPREAD_SECONDS = 5;

const SUCCESS_START = `{"status":"success","message":${JSON.stringify(SUCCESS_MESSAGE)},"timestamp":"`;
const TIMESTAMP_LENGTH = '2026-11-21T06:30:00.123Z'.length;
const SUCCESS_HEADERS = [
  'content-type',
  JSON_TYPE,
  'x-content-type-options',
  'nosniff',
  'content-length',
  String(SUCCESS_START.length + TIMESTAMP_LENGTH + 2),
];
/** RFC 9110 requires a challenge; browsers do not know this scheme and show no dialog. */
const CHALLENGE = ['www-authenticate', 'ApiKey header="X-API-Key"'];
const AUTHENTICATION_BODIES: Record<AuthenticationError, string> = {
  absent: authenticationBody('absent'),
  invalid: authenticationBody('invalid'),
  expired: authenticationBody('expired'),
};

export interface ResponsesOptions {
  count: (outcome: Outcome) => void;
  rejections: Pick<RejectionCounts, 'note'>;
}

export function createResponses({ count, rejections }: ResponsesOptions): Responses {
  function note(reply: FastifyReply, code: ErrorCode, error: string, rack?: string): void {
    count(code);
    // A request whose URL cannot be parsed lacks our decorations.
    const key: KnownKey | null | undefined = reply.request.apiKey;
    if (key) rejections.note(key.record.id, code, error, rack);
  }

  function reject(reply: FastifyReply, code: ErrorCode, error: string, rack?: string): void {
    note(reply, code, error, rack);
    const { type, body } = errorFor(reply, code, error);
    reply
      .code(ERROR_CATALOGUE[code].status)
      .header('content-type', type)
      .header('x-content-type-options', 'nosniff')
      .send(body);
  }

  return {
    succeed(reply, receivedAt, stored) {
      count('success');
      if (stored !== undefined) {
        const body = `${SUCCESS_START}${receivedAt}","stored":${JSON.stringify(stored)}}`;
        sendPastFastify(reply, 200, body, ['preference-applied', 'return=representation']);
        return;
      }
      // Its length is known, so that even the length is not counted.
      reply.hijack();
      reply.raw.writeHead(200, SUCCESS_HEADERS);
      reply.raw.end(`${SUCCESS_START}${receivedAt}"}`, 'latin1');
    },
    reject,
    rejectAndClose(reply, code, error) {
      closeAfterResponse(reply);
      reject(reply, code, error);
    },
    rejectRate(reply, error, headers) {
      note(reply, 'rate_limited', error);
      sendError(reply, 'rate_limited', error, headers);
    },
    rejectKey(reply, reason) {
      count('unauthorized');
      closeAfterResponse(reply);
      if (isOwnFormat(reply)) sendPastFastify(reply, 401, AUTHENTICATION_BODIES[reason], CHALLENGE);
      else sendError(reply, 'unauthenticated', AUTHENTICATION_ERRORS[reason], CHALLENGE);
    },
    rejectForNow(reply, error) {
      note(reply, 'unavailable', error);
      sendError(reply, 'unavailable', error, ['retry-after', retryAfterSeconds()]);
    },
  };
}

/** Jittered, so that the clients of a fleet do not retry at the same moment. */
export function retryAfterSeconds(): string {
  return String(1 + Math.floor(Math.random() * RETRY_SPREAD_SECONDS));
}

function sendError(reply: FastifyReply, code: ErrorCode, error: string, headers: readonly string[]): void {
  const { type, body } = errorFor(reply, code, error);
  sendPastFastify(reply, ERROR_CATALOGUE[code].status, body, headers, type);
}

/** For clients that send a batch as a whole again. They were counted with their readings. */
export function sendPartlyUnavailable(
  reply: FastifyReply,
  accepted: number,
  headers: readonly string[],
): void {
  const error = `Kafka has not acknowledged all readings: ${accepted} are stored. Sending all again is safe`;
  sendError(reply, 'unavailable', error, [...headers, 'retry-after', retryAfterSeconds()]);
}

/** In the format that the client knows. */
function errorFor(
  reply: FastifyReply,
  code: ErrorCode,
  error: string,
): { type: string; body: string | Buffer } {
  if (isWrite(reply)) return { type: JSON_TYPE, body: writeErrorBody(code, error) };
  if (isOwnFormat(reply)) return { type: JSON_TYPE, body: JSON.stringify({ status: 'error', error, code }) };
  const { isJson, type } = formatOf(reply);
  return { type, body: writeStatus(isJson, error) };
}

/** The error format of InfluxDB. */
export function writeErrorBody(code: ErrorCode, message: string): string {
  return JSON.stringify({ code, message });
}

/** By the URL: some errors come before there is a route. */
function isWrite({ request }: FastifyReply): boolean {
  return WRITE_PATHS.some((path) => isLiteralPath(request.raw.url, path));
}

function isOwnFormat(reply: FastifyReply): boolean {
  return !isWrite(reply) && !isLiteralPath(reply.request.raw.url, METRICS_PATH);
}

function authenticationBody(reason: AuthenticationError): string {
  return JSON.stringify({ error: AUTHENTICATION_ERRORS[reason], status: 401 });
}
