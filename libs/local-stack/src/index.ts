export type { EngineUrls } from './engine.ts';
export { startEngines } from './start-engines.ts';
export type { StartedEngines, StartEnginesOptions } from './start-engines.ts';
