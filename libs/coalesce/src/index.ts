export { coalesceRequests } from './coalesce-requests.ts';
export type { CoalesceOptions } from './coalesce-requests.ts';
