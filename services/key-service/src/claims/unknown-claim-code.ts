import { ApiError } from '@cellarman/http-api';

/** The same for a code that does not exist and for one that is revoked. */
export function unknownClaimCode(): ApiError {
  return new ApiError('invalid_claim_code', 'The claim code is invalid or revoked');
}
