import { createSecret, looksLikeSecret } from '../secrets/random-secret.ts';

/** Secret scanners find leaked tokens by it. */
const PREFIX = 'cmt_';
/** The prefix and four of 43 random characters: 232 bits stay secret. */
const DISPLAYED_CHARACTERS = 8;

export const createToken = (): string => PREFIX + createSecret();

export const displayPrefixOf = (token: string): string => token.slice(0, DISPLAYED_CHARACTERS);

export const looksLikeToken = (text: string): boolean =>
  text.startsWith(PREFIX) && looksLikeSecret(text.slice(PREFIX.length));

/**
 * The service token of a request, whether it is one or only looks like it. Other kinds of `Authorization`, which a
 * proxy may add, are none of ours.
 */
export function bearerTokenIn(authorization: string | undefined): string | undefined {
  return /^Bearer +(cmt_.*)$/i.exec(authorization ?? '')?.[1];
}
