import type { ServiceToken } from '../api/resources.ts';

export type TokenState = 'active' | 'expired' | 'revoked';

/** The service decides by its own clock; this is for what is shown. */
export function tokenState({ expiresAt, revokedAt }: ServiceToken, now: number): TokenState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
