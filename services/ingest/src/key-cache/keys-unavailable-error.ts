/** It is unknown whether a key is valid. The response is 503, never 401. */
export class KeysUnavailableError extends Error {
  readonly code = 'KEYS_UNAVAILABLE';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KeysUnavailableError';
  }
}
