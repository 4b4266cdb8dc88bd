export { describeScenarios } from './describe-scenarios.ts';
export { startDriver } from './driver.ts';
export type { Driver } from './driver.ts';
