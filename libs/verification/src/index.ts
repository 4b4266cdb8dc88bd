export * from './parse-message.ts';
export * from './reading-identity.ts';
