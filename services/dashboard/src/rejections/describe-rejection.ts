interface RejectionText {
  label: string;
  /** What to change. */
  advice: string;
}

const CREATE_KEY = 'Create a key for this device, or switch the device to its current key.';

/** Texts for operators. Codes without a text are shown as they are. */
const TEXTS: Readonly<Record<string, RejectionText>> = {
  cellar_mismatch: {
    label: 'Key belongs to another cellar',
    advice: 'Send the name of the cellar that the key belongs to, or use a key of that cellar.',
  },
  insufficient_scope: {
    label: 'Key lacks the ingest scope',
    advice: 'Use a key with the scope ingest.',
  },
  invalid_batch: {
    label: 'Batch is not a list of readings',
    advice: 'Send a JSON array of readings, or NDJSON with one reading per line.',
  },
  invalid_json: { label: 'Body is not valid JSON', advice: 'Generate the body with a JSON library.' },
  invalid_reading: {
    label: 'Missing or invalid field',
    advice: 'Send cellar, rack, keg, value and timestamp with the documented types.',
  },
  key_expired: { label: 'Key has expired', advice: CREATE_KEY },
  key_revoked: { label: 'Key was revoked', advice: CREATE_KEY },
  payload_too_large: {
    label: 'Request too large',
    advice: 'Split the batch in half. Send batches to /api/v1/ingest/batch.',
  },
  rack_mismatch: {
    label: 'Key not valid for this rack',
    advice: 'Use a key for this rack, or a key without a rack restriction.',
  },
  rate_limited: {
    label: 'Rate limit exceeded',
    advice: 'Wait for Retry-After, or raise the rate limit of the key or the cellar.',
  },
  request_timeout: {
    label: 'Request timed out',
    advice: 'Check the connection of the device. The body must arrive within the time limit.',
  },
  timestamp_out_of_range: {
    label: 'Timestamp in the future or too old',
    advice: 'Check the clock of the device and the unit of its timestamps.',
  },
  unavailable: {
    label: 'Not confirmed in time; safe to retry',
    advice: 'Retry after the time in the Retry-After header. If it continues, check the pipeline.',
  },
  unsupported_media_type: {
    label: 'Wrong Content-Type',
    advice: 'Send Content-Type: application/json, or application/x-ndjson for batches.',
  },
};

export function describeRejection(code: string): RejectionText {
  return TEXTS[code] ?? { label: code, advice: '' };
}
