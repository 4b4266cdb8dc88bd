import type { Role } from '../access/access.ts';
import type { RateLimit } from '../http/rate-limit-schema.ts';
import { ApiError } from '@cellarman/http-api';

/**
 * A key may not be given more than its cellar has.
 *
 * @throws {ApiError} `invalid_request` above the rate limit of the cellar; `forbidden` for a member when the cellar has none
 */
export function requireRateWithin(wanted: RateLimit | null, cellar: RateLimit | null, role: Role): void {
  if (wanted === null) return;
  if (cellar === null) {
    if (role === 'owner') return;
    throw new ApiError(
      'forbidden',
      'The cellar has no rate limit. Only owners can set rate limits for its keys.',
    );
  }
  if (wanted.perSecond <= cellar.perSecond && wanted.burst <= cellar.burst) return;
  throw new ApiError(
    'invalid_request',
    `body/rateLimit must not exceed the rate limit of the cellar: ${cellar.perSecond} per second, burst ${cellar.burst}`,
  );
}
