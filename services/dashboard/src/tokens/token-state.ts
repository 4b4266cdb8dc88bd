import type { ServiceToken } from '../api/resources.ts';

export type TokenState = 'active' | 'expired' | 'revoked';

/** For display only: the service decides by its own clock. */
export function tokenState({ expiresAt, revokedAt }: ServiceToken, now: number): TokenState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
