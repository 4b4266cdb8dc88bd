export { createKeyServiceClient } from './create-client.ts';
export type { KeyServiceClient, KeyServiceClientOptions } from './create-client.ts';
export { createLastUsed } from './last-used.ts';
export type { LastUsed } from './last-used.ts';
export { reportEvery } from './report-every.ts';
export { keyServiceAccess, keyServiceVariables } from './variables.ts';
export { HEALTH_SLICES, reportHealth } from './report-health.ts';
export type { HealthReports } from './report-health.ts';
