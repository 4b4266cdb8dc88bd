export { runMain } from './run-main.ts';
export type { MainOptions, Running } from './run-main.ts';
export type { Step } from './stop-steps.ts';
export { createReadiness } from './readiness.ts';
export type { PartReport, Readiness, ReadinessOptions, ReadinessReport } from './readiness.ts';
export { healthRoutes } from './health-routes.ts';
export type { HealthRoutesOptions } from './health-routes.ts';
export { gracefulHttpStop } from './graceful-http-stop.ts';
export type { GracefulHttpStopOptions } from './graceful-http-stop.ts';
