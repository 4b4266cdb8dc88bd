export { findDeadLetters } from './find-dead-letters.ts';
export type { Origin } from './find-dead-letters.ts';
export { parseMessage } from './parse-message.ts';
export { IDENTITY_SQL, identityOf, seriesPointIdentityOf, withNanoseconds } from './reading-identity.ts';
export type { ReadingFields } from './reading-identity.ts';
export { findRows, readExpiry } from './stored-rows.ts';
