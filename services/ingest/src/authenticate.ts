import { hasApiKeyFormat, hashApiKey } from '@cellarman/api-key';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Responses } from './http/responses.ts';
import type { Keys } from './key-cache/keys.ts';
import type { KnownKey } from './key-cache/known-key.ts';
import type { RejectionCounts } from './rejections/rejection-counts.ts';
import type { ServerClock } from './server-clock.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `authenticate`. */
    apiKey: KnownKey | null;
  }
}

export interface AuthenticateOptions {
  responses: Responses;
  keys: Pick<Keys, 'find'>;
  rejections: Pick<RejectionCounts, 'note' | 'noteUnauthenticated'>;
  clock: ServerClock;
}

/** Step 1: who sends. A known key is checked immediately; only an unknown one waits for key-service. */
export function createAuthenticate({ responses, keys, rejections, clock }: AuthenticateOptions) {
  function decide(
    key: KnownKey | null,
    request: FastifyRequest,
    reply: FastifyReply,
    done: () => void,
  ): void {
    if (key === null || key.revoked) {
      if (key === null) rejections.noteUnauthenticated('unknown');
      else rejections.note(key.record.id, 'key_revoked', '');
      responses.rejectKey(reply, 'invalid');
      return;
    }
    const now = clock.now();
    if (now >= key.expiresAtMs) {
      rejections.note(key.record.id, 'key_expired', '');
      responses.rejectKey(reply, 'expired');
      return;
    }
    key.lastUsedMs = now;
    request.apiKey = key;
    done();
  }

  return function authenticate(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    // Node joins repeated headers with a comma, which no key contains.
    const text = request.raw.headers['x-api-key'] as string | undefined;
    if (text === undefined || text === '') {
      rejections.noteUnauthenticated('missing');
      responses.rejectKey(reply, 'absent');
      return;
    }
    const hash = hashOf(text, request.raw.socket);
    if (hash === undefined) {
      rejections.noteUnauthenticated('unknown');
      responses.rejectKey(reply, 'invalid');
      return;
    }
    const found = keys.find(hash);
    if (!(found instanceof Promise)) {
      decide(found, request, reply, done);
      return;
    }
    found.then(
      (key) => decide(key, request, reply, done),
      () => responses.rejectForNow(reply, "The API key can't be verified right now"),
    );
  };
}

const HASHED = Symbol('the last key of this connection and its hash');

interface KeyedSocket extends Socket {
  [HASHED]?: { text: string; hash: string };
}

/**
 * Returns the hash of a key, or undefined for a malformed one.
 *
 * A connection nearly always sends the same key again, and checksum and SHA-256 cost 2 µs (measured), so the last key is kept
 * with the connection. The key cache is indexed by hash: no list of plain-text keys outlives the connections that sent them. A
 * timing leak in the comparison is irrelevant: keys carry 178 bits of entropy.
 */
function hashOf(text: string, socket: KeyedSocket): string | undefined {
  const last = socket[HASHED];
  if (last?.text === text) return last.hash;
  if (!hasApiKeyFormat(text)) return undefined;
  const hash = hashApiKey(text);
  socket[HASHED] = { text, hash };
  return hash;
}
