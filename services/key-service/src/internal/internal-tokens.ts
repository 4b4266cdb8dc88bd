import { Type } from '@sinclair/typebox';
import type { Static } from '@sinclair/typebox';

/** The services that call the internal routes. */
export const CALLERS = ['ingest', 'query', 'sink'] as const;
export type Caller = (typeof CALLERS)[number];

/** The tokens that are accepted, by caller. `shared` stands for every caller. */
export type InternalTokens = Record<Caller | 'shared', readonly string[]>;

const MIN_LENGTH = 16;

function callerTokens(caller: Caller) {
  return Type.Optional(
    Type.Array(Type.String({ minLength: MIN_LENGTH }), {
      separator: ',',
      minItems: 1,
      secret: true,
      description: `The token of ${caller}, the same as its INTERNAL_TOKEN. During a rotation, the new and the old token, separated by a comma.`,
    }),
  );
}

export const internalTokenVariables = {
  INGEST_TOKEN: callerTokens('ingest'),
  QUERY_TOKEN: callerTokens('query'),
  SINK_TOKEN: callerTokens('sink'),
  INTERNAL_TOKEN: Type.Optional(
    Type.String({
      minLength: MIN_LENGTH,
      secret: true,
      description:
        'A shared token for all services and routes. Deprecated: give each service its own token, and remove this one when all use theirs.',
    }),
  ),
};

type TokenConfig = Partial<Record<keyof typeof internalTokenVariables, string | string[]>>;

export function internalTokens(config: {
  [Name in keyof TokenConfig]: Static<(typeof internalTokenVariables)[Name]>;
}): InternalTokens {
  const { INGEST_TOKEN = [], QUERY_TOKEN = [], SINK_TOKEN = [], INTERNAL_TOKEN } = config;
  return {
    ingest: INGEST_TOKEN,
    query: QUERY_TOKEN,
    sink: SINK_TOKEN,
    shared: INTERNAL_TOKEN === undefined ? [] : [INTERNAL_TOKEN],
  };
}

/** What is wrong with the tokens together, a sentence each. */
export function internalTokenConflicts(config: Parameters<typeof internalTokens>[0]): string[] {
  const tokens = internalTokens(config);
  const missing = CALLERS.filter((caller) => tokens.shared.length === 0 && tokens[caller].length === 0);
  const all = Object.values(tokens).flat();
  return [
    ...missing.map((caller) => `${caller.toUpperCase()}_TOKEN is missing: the token of ${caller}`),
    ...(new Set(all).size < all.length
      ? ['INGEST_TOKEN, QUERY_TOKEN, SINK_TOKEN and INTERNAL_TOKEN must be different']
      : []),
  ];
}
