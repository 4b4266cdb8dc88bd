/** Labels for operators. Codes without a label are shown as they are. */
const MEANINGS: Readonly<Record<string, string>> = {
  cellar_mismatch: 'Key belongs to another cellar',
  insufficient_scope: 'Key lacks the ingest scope',
  invalid_batch: 'Batch is not a list of readings',
  invalid_json: 'Body is not valid JSON',
  invalid_reading: 'Missing or invalid field',
  key_expired: 'Key has expired',
  key_revoked: 'Key was revoked',
  payload_too_large: 'Request too large',
  rack_mismatch: 'Key not valid for this rack',
  rate_limited: 'Rate limit exceeded',
  request_timeout: 'Request timed out',
  timestamp_out_of_range: 'Timestamp in the future or too old',
  unavailable: 'Not confirmed in time; safe to retry',
  unsupported_media_type: 'Wrong Content-Type',
};

export function describeRejection(code: string): string {
  return MEANINGS[code] ?? code;
}
