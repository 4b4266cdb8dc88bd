export { ConfigError, readConfig } from './read-config.ts';
export type { ReadConfigOptions } from './read-config.ts';
export { flag, integer, list, port, secret, text, url } from './variables.ts';
