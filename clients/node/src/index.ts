export { openClient } from './client.ts';
export type { Client, PutOptions } from './client.ts';
export { ClientError } from './client-error.ts';
export type { ClientErrorCode } from './client-error.ts';
export type { ClientOptions, Problem } from './options.ts';
export type { Reading } from './reading.ts';
export type { ClientStatus, RejectedReading } from './status.ts';
