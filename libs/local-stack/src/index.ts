export { freePorts, HOST, unusedPorts } from './ports.ts';
export type { BrokerPorts, ProductPorts } from './ports.ts';
export type { EngineUrls } from './engines/engine.ts';
export { startProduct } from './product/product.ts';
export type { Product, StartProductOptions } from './product/product.ts';
export type { RunFile } from './product/run-file.ts';
export { startEngines } from './engines/start-engines.ts';
export type { StartedEngines, StartEnginesOptions } from './engines/start-engines.ts';
