/** Nobody can say now whether a key is good. It is answered with 503, never with 401. */
export class KeysUnavailableError extends Error {
  readonly code = 'KEYS_UNAVAILABLE';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KeysUnavailableError';
  }
}
