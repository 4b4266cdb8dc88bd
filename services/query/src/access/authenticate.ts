import { hasApiKeyFormat, hashApiKey } from '@cellarman/api-key';
import { AUTHENTICATION_ERRORS, BACKGROUND_HEADER } from '@cellarman/contracts';
import type { KeyRecord } from '@cellarman/contracts';
import { ApiError, declareErrors } from '@cellarman/http-api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { KeyService } from './key-service.ts';
import { readerOfKey, readerOfSession, rejectionsOf } from './reader.ts';
import type { Reader } from './reader.ts';
import { shareLookups } from './share-lookups.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route behind `authenticate`. */
    reader: Reader | null;
    /** Looks the reader up again. */
    findReader: (() => Promise<Reader>) | null;
  }
}

/**
 * The session cookies that key-service sets. The second one is for local use without HTTPS. Browsers accept the first one from
 * this host only, so it is checked first. An attacker who plants the second one can only show a user the attacker's readings.
 */
const COOKIES = ['__Host-cellarman-session', 'cellarman-session'];

export interface AuthenticateOptions {
  keyService: Pick<KeyService, 'findKey' | 'findSession'>;
  clock: () => Date;
  /** Called with each key that may read. */
  onUsed?: (key: KeyRecord, at: Date) => void;
  /** How long streams with the same credentials share a lookup. @default 0 */
  shareLookupsMs?: number;
}

/** Every route registered on `app` after this requires an API key with the scope `read` or a signed-in user. */
export function authenticate(app: FastifyInstance, options: AuthenticateOptions): void {
  const { keyService, clock, onUsed, shareLookupsMs = 0 } = options;
  const share = shareLookups<Reader>(shareLookupsMs);
  declareErrors(app, () => ['unauthenticated', 'insufficient_scope', 'unavailable']);
  declareErrors(app, ({ url, schema }) => rejectionsOf(url, schema?.querystring));

  async function readerFor(request: FastifyRequest, isBackground: boolean): Promise<Reader> {
    const apiKey = request.headers['x-api-key'];
    if (typeof apiKey === 'string' && apiKey !== '') return readerWithKey(apiKey);
    const session = sessionOf(request);
    if (session === undefined) throw unauthenticated(AUTHENTICATION_ERRORS.absent);
    // A longer value is no session token, and key-service would reject the request.
    const found = session.length > 200 ? null : await keyService.findSession(session, { isBackground });
    if (found === null) throw unauthenticated('Not signed in');
    return readerOfSession(found);
  }

  async function readerWithKey(apiKey: string): Promise<Reader> {
    const key = hasApiKeyFormat(apiKey) ? await keyService.findKey(hashApiKey(apiKey)) : null;
    if (key === null || key.revokedAt !== null) throw unauthenticated(AUTHENTICATION_ERRORS.invalid);
    const now = clock();
    // Written so that an expiry which cannot be read makes no key eternal.
    if (key.expiresAt !== null && !(now.getTime() < Date.parse(key.expiresAt))) {
      throw unauthenticated(AUTHENTICATION_ERRORS.expired);
    }
    if (!key.scopes.includes('read')) {
      throw new ApiError('insufficient_scope', 'The API key may not read. It needs the scope read.');
    }
    onUsed?.(key, now);
    return readerOfKey(key);
  }

  app.decorateRequest('reader', null);
  app.decorateRequest('findReader', null);
  app.addHook('onRequest', async (request) => {
    // A stream that is left open is no use of the session.
    request.findReader = () => share(credentialsOf(request), () => readerFor(request, true));
    request.reader = await readerFor(request, request.headers[BACKGROUND_HEADER] === '1');
  });
}

function sessionOf(request: FastifyRequest): string | undefined {
  return COOKIES.map((name) => request.cookies[name]).find((id) => id !== undefined && id !== '');
}

function credentialsOf(request: FastifyRequest): string {
  const apiKey = request.headers['x-api-key'];
  return typeof apiKey === 'string' && apiKey !== ''
    ? `key ${apiKey}`
    : `session ${sessionOf(request) ?? ''}`;
}

export function readerOf(request: FastifyRequest): Reader {
  if (request.reader === null) throw new Error('this route is not behind authenticate');
  return request.reader;
}

/**
 * The reader as it is now, for a response that takes long: the key may be revoked meanwhile, the session ended.
 *
 * @throws {ApiError} as `authenticate` does
 */
export async function findReaderAgain(request: FastifyRequest): Promise<Reader> {
  if (request.findReader === null) throw new Error('this route is not behind authenticate');
  return request.findReader();
}

function unauthenticated(text: string): ApiError {
  return new ApiError('unauthenticated', text);
}
