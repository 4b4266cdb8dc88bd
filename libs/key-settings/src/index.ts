export { createKeyOnce, firstIdempotencyKey, keyCreatedBefore } from './create-key-once.ts';
export { InvalidInput, positiveInteger } from './option-values.ts';
export { newKey, readExpiry, readRateLimit } from './key-settings.ts';
export type { KeySettings } from './key-settings.ts';
export { COLUMNS, newKeyOf, parseKeyRows, rowKey } from './key-rows.ts';
export type { KeyRow } from './key-rows.ts';
