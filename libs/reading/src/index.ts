export * from './decode-line.ts';
export * from './fields.ts';
export * from './is-canonical-line.ts';
export * from './number-problem.ts';
export * from './schema.ts';
export * from './timestamp.ts';
export * from './tokenize-object.ts';
export * from './write-line.ts';
