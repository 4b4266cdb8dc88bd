export * from './batch.ts';
export * from './errors.ts';
export * from './health.ts';
export * from './ingest.ts';
export * from './key-service.ts';
export * from './observations.ts';
export * from './rejections.ts';
export * from './topic.ts';
