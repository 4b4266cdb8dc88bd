import { ApiError } from '@cellarman/http-api';

/** The same for a cellar that does not exist and for one that is not granted. */
export function unknownCellar(): ApiError {
  return new ApiError('not_found', 'Cellar not found');
}
