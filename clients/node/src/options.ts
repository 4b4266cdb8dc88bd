import { isBuiltin } from 'node:module';
import * as zlib from 'node:zlib';
import { ClientError } from './client-error.ts';

export interface ClientOptions {
  /** Base URL of ingest, such as `https://ingest.example.com`. */
  url: string;
  /** Left out: one is claimed with `claimCode` and `rack`. */
  apiKey?: string;
  /** Exchanged once for an API key, which is stored in `{spool}.key`. */
  claimCode?: string;
  /** The rack that the claimed key is for. */
  rack?: string;
  /** Base URL of key-service, for the claim. @default `url` */
  claimUrl?: string;
  /** Path of the spool, an SQLite file. It is created if it does not exist; its folder must exist. */
  spool: string;
  /** For readings without `cellar`. */
  cellar?: string;
  /** Bound of the spool: sum of the bytes of the waiting readings. @default 268435456 (256 MiB) */
  maxBytes?: number;
  /** What `put` does when the spool is full. @default 'reject' */
  onFull?: 'reject' | 'drop-oldest';
  /** `fresh-first` sends new readings before those that an outage left behind. @default 'put' */
  order?: 'put' | 'fresh-first';
  /** With `fresh-first`: an outage longer than this makes a backlog of the waiting readings. @default 60000 */
  freshMs?: number;
  /** Share of the key's rate limit that the backlog may use. @default 0.5 */
  backlogShare?: number;
  /** Readings per request. @default 1000 */
  batchReadings?: number;
  /** Bytes per request, before compression. @default 1048576 (1 MiB) */
  batchBytes?: number;
  /** How long a `put` waits for others to share its commit. @default 0 */
  groupMs?: number;
  /** A batch that is not full is sent when its first reading is this old. @default 100 */
  lingerMs?: number;
  /** `zstd` needs Node 22.15. @default 'gzip' */
  compression?: 'gzip' | 'zstd' | 'none';
  /** Of one request. @default 15000 */
  timeoutMs?: number;
  /** First wait after a failed request without `Retry-After`. It doubles with each failure. @default 1000 */
  retryMinMs?: number;
  /** @default 60000 */
  retryMaxMs?: number;
  /** Wait after a response that only a person can do something about, such as 401. @default 60000 */
  blockedMs?: number;
  /** Called when something needs attention. @default `process.emitWarning` */
  onProblem?: (problem: Problem) => void;
  /** The clock that sets missing timestamps, in milliseconds since 1970. @default Date.now */
  now?: () => number;
}

export interface Problem {
  /** An error code of ingest, or `no_response`, `dropped`, `broken_file`, `spool_failed`. */
  code: string;
  message: string;
  /** ISO 8601. */
  at: string;
}

const DEFAULTS = {
  apiKey: '',
  claimCode: '',
  rack: '',
  maxBytes: 256 * 1024 * 1024,
  onFull: 'reject',
  order: 'put',
  freshMs: 60_000,
  backlogShare: 0.5,
  batchReadings: 1_000,
  batchBytes: 1024 * 1024,
  groupMs: 0,
  lingerMs: 100,
  compression: 'gzip',
  timeoutMs: 15_000,
  retryMinMs: 1_000,
  retryMaxMs: 60_000,
  blockedMs: 60_000,
} as const satisfies Partial<ClientOptions>;

/** What the worker needs: can be cloned. */
export type Settings = Required<Omit<ClientOptions, 'cellar' | 'onProblem' | 'now'>>;

/** @throws {ClientError} `invalid_options` */
export function settingsOf({ cellar: _, onProblem: __, now: ___, ...options }: ClientOptions): Settings {
  if (!isBuiltin('node:sqlite')) throw invalid(`Node 22.13 or newer is required, not ${process.version}`);
  // An environment variable that is not set is undefined.
  const entries = Object.entries<unknown>(options).filter(([, value]) => value !== undefined);
  const given = Object.fromEntries(entries) as typeof options;
  const settings: Settings = { ...DEFAULTS, claimUrl: given.url, ...given };
  const claims = settings.claimCode !== '' && settings.rack !== '';
  if ((settings.apiKey !== '') === claims) throw invalid('"apiKey", or "claimCode" and "rack", are required');
  for (const name of ['url', 'spool'] as const)
    if (typeof settings[name] !== 'string' || settings[name] === '') throw invalid(`"${name}" is required`);
  for (const name of ['url', 'claimUrl'] as const)
    if (!URL.canParse(settings[name]) || !/^https?:/.test(settings[name]))
      throw invalid(`"${name}" must begin with http:// or https://`);
  for (const [name, value] of Object.entries(settings)) {
    const expected = DEFAULTS[name as keyof typeof DEFAULTS] as unknown;
    if (typeof expected !== 'number') continue;
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
      throw invalid(`"${name}" must be a number that is not negative`);
  }
  if (settings.compression === 'zstd' && !('zstdCompress' in zlib)) throw invalid('zstd needs Node 22.15');
  const withoutSlash = (url: string) => url.replace(/\/+$/, '');
  return { ...settings, url: withoutSlash(settings.url), claimUrl: withoutSlash(settings.claimUrl) };
}

function invalid(message: string): ClientError {
  return new ClientError('invalid_options', message);
}
