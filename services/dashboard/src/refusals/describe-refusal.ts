/** What a code means for whoever looks after the devices. Codes that are not here speak for themselves. */
const MEANINGS: Readonly<Record<string, string>> = {
  cellar_mismatch: 'The key belongs to another cellar',
  insufficient_scope: 'The key may only read',
  invalid_batch: 'The batch is no list of readings',
  invalid_json: 'What was sent is no JSON',
  invalid_reading: 'A field is missing or of another kind',
  key_expired: 'The key has expired',
  key_revoked: 'The key was revoked',
  payload_too_large: 'More was sent than is taken at once',
  rack_mismatch: 'The key is for another rack',
  rate_limited: 'More was sent than the rate limit allows',
  request_timeout: 'The request came too slowly',
  timestamp_out_of_range: 'The timestamp is in the future or too old',
  unavailable: 'Could not be stored in time; sent again it is taken',
  unsupported_media_type: 'The Content-Type is not the right one',
};

export function describeRefusal(code: string): string {
  return MEANINGS[code] ?? code;
}
