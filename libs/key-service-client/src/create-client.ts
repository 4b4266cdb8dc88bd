import {
  BACKGROUND_HEADER,
  CHANGES_PATH,
  changesResponseSchema,
  DEAD_LETTERS_PATH,
  INGEST_HEALTH_PATH,
  KEG_UNITS_PATH,
  kegUnitsResponseSchema,
  lastRejectionResponseSchema,
  LAST_USED_PATH,
  LOOKUP_PATH,
  lookupResponseSchema,
  MAX_HASHES_PER_LOOKUP,
  REJECTIONS_PATH,
  REPLAYS_PATH,
  replaysResponseSchema,
  RETENTION_PATH,
  retentionResponseSchema,
  SESSION_LOOKUP_PATH,
  sessionLookupResponseSchema,
  SINK_HEALTH_PATH,
} from '@cellarman/contracts';
import type {
  ChangesResponse,
  DeadLetter,
  IngestHealth,
  KegUnit,
  LastUsedRequest,
  LookupResult,
  RejectionsRequest,
  Replay,
  ReplayResult,
  RetentionPolicy,
  SessionRecord,
  SinkHealth,
} from '@cellarman/contracts';
import { coalesceRequests } from '@cellarman/concurrency';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { TypeCheck } from '@sinclair/typebox/compiler';
import type { TSchema } from '@sinclair/typebox';

/** The internal API of key-service. Every call rejects when there is no valid response in time. */
export interface KeyServiceClient {
  /**
   * Concurrent lookups are coalesced into one request, so that a flood of unknown keys costs key-service little.
   *
   * @param hash SHA-256 of the key, in hex
   * @param atLeast called when the request is sent, returns the change number that its response must include
   * @returns `key` null: there is no such key
   */
  lookUp(hash: string, atLeast?: () => number): Promise<LookupResult>;
  /** @param after the last change number that is known here; -1 requests the current number only */
  changes(after: number): Promise<ChangesResponse>;
  /**
   * @param id the value of the cookie
   * @param isBackground the request was not caused by a person, so it is no use of the session
   * @returns null: it has ended, or never was
   */
  findSession(id: string, isBackground: boolean): Promise<SessionRecord | null>;
  /**
   * How many days each cellar keeps its readings.
   *
   * @param known returned unchanged if no cellar has changed since
   */
  retention(signal: AbortSignal, known?: RetentionPolicy): Promise<RetentionPolicy>;
  /** The kegs of a cellar that have a unit. A key-service of the previous version has none. */
  kegUnits(cellar: string): Promise<KegUnit[]>;
  /** When a reading of the cellar was last rejected. null: not lately. A key-service of the previous version returns null. */
  lastRejection(cellar: string): Promise<string | null>;
  reportLastUsed(uses: LastUsedRequest['uses']): Promise<void>;
  /** Sent again with the same sequence it counts once. */
  reportRejections(report: RejectionsRequest): Promise<void>;
  /** The latest report of a process replaces the one before it. */
  reportIngestHealth(report: IngestHealth): Promise<void>;
  reportSinkHealth(report: SinkHealth): Promise<void>;
  recordDeadLetters(deadLetters: readonly DeadLetter[]): Promise<void>;
  /** Dead letters to store now, the same ones until their results are reported. */
  replays(): Promise<Replay[]>;
  reportReplays(results: readonly ReplayResult[]): Promise<void>;
}

export interface KeyServiceClientOptions {
  /** Base URL. */
  url: string;
  token: string;
  /** How long a response may take. */
  timeoutMs: number;
  /** The least time between two requests for lookups, unless one is full. @default 0 */
  lookupIntervalMs?: number;
}

/** Requests with lookups at a time. While one is in flight, the next gathers. */
const MAX_LOOKUP_REQUESTS = 2;

const lookupResponse = TypeCompiler.Compile(lookupResponseSchema);
const changesResponse = TypeCompiler.Compile(changesResponseSchema);
const sessionResponse = TypeCompiler.Compile(sessionLookupResponseSchema);
const kegUnitsResponse = TypeCompiler.Compile(kegUnitsResponseSchema);
const lastRejectionResponse = TypeCompiler.Compile(lastRejectionResponseSchema);
const replaysResponse = TypeCompiler.Compile(replaysResponseSchema);
const retentionResponse = TypeCompiler.Compile(retentionResponseSchema);

export function createKeyServiceClient(options: KeyServiceClientOptions): KeyServiceClient {
  const { timeoutMs, lookupIntervalMs = 0 } = options;
  const base = options.url.replace(/\/+$/, '');
  const authorization = `Bearer ${options.token}`;

  async function send(path: string, body?: object, more: SendOptions = {}): Promise<Response> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await fetch(base + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...more.headers,
      },
      signal: more.signal === undefined ? timeout : AbortSignal.any([more.signal, timeout]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok || more.accepts === response.status) return response;
    await response.body?.cancel();
    throw new Error(`key-service returned ${response.status} for ${path}`);
  }

  async function report(path: string, body: object): Promise<void> {
    const response = await send(path, body);
    await response.body?.cancel();
  }

  const lookUp = coalesceRequests<Lookup, LookupResult | null>({
    maxBatch: MAX_HASHES_PER_LOOKUP,
    maxInFlight: MAX_LOOKUP_REQUESTS,
    intervalMs: lookupIntervalMs,
    async send(lookups) {
      const hashes = lookups.map(({ hash }) => hash);
      const numbers = lookups.flatMap(({ atLeast }) => atLeast?.() ?? []);
      const body = { hashes, ...(numbers.length === 0 ? {} : { atLeast: Math.max(...numbers) }) };
      return (await checked(lookupResponse, await send(LOOKUP_PATH, body))).answers;
    },
  });

  return {
    async lookUp(hash, atLeast) {
      const answer = await lookUp({ hash, atLeast });
      if (answer === null) throw new Error('key-service cannot look the key up at the moment');
      // A key-service that mixes responses up must not let one key act as another.
      if (answer.key !== null && answer.key.hash !== hash) {
        throw new Error('key-service returned the record of another key');
      }
      return answer;
    },
    changes: async (after) => checked(changesResponse, await send(`${CHANGES_PATH}?after=${after}`)),
    async findSession(id, isBackground) {
      const headers: Record<string, string> = isBackground ? { [BACKGROUND_HEADER]: '1' } : {};
      return (await checked(sessionResponse, await send(SESSION_LOOKUP_PATH, { id }, { headers }))).session;
    },
    async retention(signal, known) {
      const query =
        known === undefined ? '' : `?epoch=${encodeURIComponent(known.epoch)}&after=${known.number}`;
      const response = await checked(
        retentionResponse,
        await send(RETENTION_PATH + query, undefined, { signal }),
      );
      const { cellars = known?.cellars } = response;
      if (cellars === undefined) throw new Error('key-service sent no retention of cellars');
      return { ...response, cellars };
    },
    async kegUnits(cellar) {
      const response = await send(`${KEG_UNITS_PATH}?cellar=${cellar}`, undefined, { accepts: 404 });
      if (response.ok) return (await checked(kegUnitsResponse, response)).kegs;
      await response.body?.cancel();
      return [];
    },
    async lastRejection(cellar) {
      const response = await send(`${REJECTIONS_PATH}?cellar=${cellar}`, undefined, { accepts: 404 });
      if (response.ok) return (await checked(lastRejectionResponse, response)).at;
      await response.body?.cancel();
      return null;
    },
    reportLastUsed: (uses) => report(LAST_USED_PATH, { uses }),
    reportRejections: (rejections) => report(REJECTIONS_PATH, rejections),
    reportIngestHealth: (health) => report(INGEST_HEALTH_PATH, health),
    reportSinkHealth: (health) => report(SINK_HEALTH_PATH, health),
    recordDeadLetters: (deadLetters) => report(DEAD_LETTERS_PATH, { deadLetters }),
    replays: async () => (await checked(replaysResponse, await send(REPLAYS_PATH))).replays,
    reportReplays: (results) => report(REPLAYS_PATH, { results }),
  };
}

interface SendOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** A status that is no failure. */
  accepts?: number;
}

interface Lookup {
  hash: string;
  atLeast: (() => number) | undefined;
}

/** A body of another shape, from a proxy or another version, must not decide who may send or read. */
async function checked<Schema extends TSchema>(check: TypeCheck<Schema>, response: Response) {
  const body: unknown = await response.json();
  if (check.Check(body)) return body;
  const [first] = check.Errors(body);
  throw new Error(`key-service sent an unexpected body: ${first?.path ?? ''} ${first?.message ?? ''}`);
}
