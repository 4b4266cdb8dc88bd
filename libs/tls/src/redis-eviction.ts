/** Everything that Cellarman stores expires, and what it counts is in use, so it is not what was used least recently. */
const SAFE_POLICY = 'volatile-lru';

/**
 * Checks what Redis does when it is full.
 *
 * @param memory the section `memory` of INFO
 * @returns a warning for the log, or undefined if sign-in and rate limits go on when Redis is full
 */
export function evictionWarning(memory: string): string | undefined {
  const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(memory)?.[1];
  const policy = field('maxmemory_policy');
  const isUnlimited = Number(field('maxmemory')) === 0;
  if (policy === undefined || isUnlimited || policy === SAFE_POLICY) return undefined;
  const consequence =
    policy === 'noeviction'
      ? 'it rejects writes when it is full: users could not sign in, and rate limits would apply per ingest replica'
      : 'it may evict counters of failed sign-ins and of rates early';
  return `Redis has maxmemory-policy ${policy}: ${consequence}. Set it to ${SAFE_POLICY}.`;
}

/** Logs at each connection what is wrong with the eviction policy. Redis is used in any case. */
export function checkEviction(
  redis: { on(event: 'ready', listener: () => void): unknown; info(section: 'memory'): Promise<string> },
  logger: { warn(fields: object, message: string): void; info(fields: object, message: string): void },
): void {
  redis.on('ready', () => {
    redis.info('memory').then(
      (memory) => {
        const warning = evictionWarning(memory);
        if (warning !== undefined) logger.warn({}, warning);
      },
      (error: unknown) => {
        logger.info({ err: error }, 'cannot check the eviction policy of Redis: INFO failed');
      },
    );
  });
}
