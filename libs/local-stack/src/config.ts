import { homedir } from 'node:os';
import { join } from 'node:path';

/** What every started process inherits: PATH, HOME, the locale, OTEL_* and the like. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env };
}

/** Where downloads are kept: one place per user, so that a second clone and the tests need none. */
export function cacheDir(env: NodeJS.ProcessEnv = process.env): string {
  return join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'cellarman');
}

/** The `java` to run: the one of JAVA_HOME when that is set, as Maven does. */
export function javaCommand(env: NodeJS.ProcessEnv = process.env): string {
  const home = env['JAVA_HOME'];
  return home === undefined || home === '' ? 'java' : join(home, 'bin', 'java');
}
