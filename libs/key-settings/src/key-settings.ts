import { InvalidInput, positiveInteger, positiveNumber } from './option-values.ts';

/** The settings of a key as texts: options of a command, or a row of a CSV file. Left out or empty: none. */
export interface KeySettings {
  rack?: string | undefined;
  rackPrefix?: string | undefined;
  scopes?: string | undefined;
  expires?: string | undefined;
  rate?: string | undefined;
  burst?: string | undefined;
}

type Scope = 'ingest' | 'read';

/** The body of the request that creates the key. */
export interface NewKey {
  name: string;
  scopes: Scope[];
  rack?: string;
  rackPrefix?: string;
  expiresAt?: string;
  rateLimit?: { perSecond: number; burst: number };
}

/** Reads what has a form; whether key-service allows it, key-service says. */
export function newKey(name: string, settings: KeySettings): NewKey {
  const { rack, rackPrefix } = settings;
  if (rack && rackPrefix) throw wrong('specify a rack or a rack prefix, not both');
  const rateLimit = readRateLimit(settings);
  return {
    name,
    scopes: readScopes(settings.scopes),
    ...(rack ? { rack } : {}),
    ...(rackPrefix ? { rackPrefix } : {}),
    ...(settings.expires ? { expiresAt: readExpiry(settings.expires) } : {}),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  };
}

const IN_DAYS = /^(\d{1,5})d$/;
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z)?$/;

/** `90d` from now, a day (its beginning in UTC), or a moment. */
export function readExpiry(text: string, now: number = Date.now()): string {
  const days = IN_DAYS.exec(text)?.[1];
  if (days !== undefined) return new Date(now + Number(days) * 86_400_000).toISOString();
  const at = DATE.test(text) ? Date.parse(text) : NaN;
  // Date takes 30 February for 2 March.
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(text.slice(0, 10))) {
    throw wrong(`the expiry must look like 2027-06-30, 2027-06-30T12:00:00Z or 90d, not ${text}`);
  }
  return new Date(at).toISOString();
}

function readScopes(text: string | undefined): Scope[] {
  const scopes = (text ?? '').split(/[\s,;]+/).filter((scope) => scope !== '');
  if (scopes.length === 0) return ['ingest'];
  for (const scope of scopes)
    if (!isScope(scope)) throw wrong(`valid scopes are ingest and read, not ${scope}`);
  return [...new Set(scopes.filter(isScope))];
}

function isScope(text: string): text is Scope {
  return text === 'ingest' || text === 'read';
}

/** Without a burst, a key may send the readings of one second in one batch. */
export function readRateLimit({ rate, burst }: Pick<KeySettings, 'rate' | 'burst'>) {
  if (!rate && !burst) return undefined;
  if (!rate) throw wrong('a burst needs a rate');
  const perSecond = positiveNumber('the rate', rate);
  return { perSecond, burst: burst ? positiveInteger('the burst', burst) : Math.ceil(perSecond) };
}

function wrong(message: string): InvalidInput {
  return new InvalidInput(message);
}
