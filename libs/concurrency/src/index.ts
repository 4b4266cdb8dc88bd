export { coalesceRequests } from './coalesce-requests.ts';
export { createLimiter } from './limiter.ts';
export type { LimitedRequest, Limiter } from './limiter.ts';
export { startLoop } from './loop.ts';
export type { Loop } from './loop.ts';
export { retryUntilDone } from './retry.ts';
