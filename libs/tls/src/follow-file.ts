import { isDeepStrictEqual } from 'node:util';

/** The part of a logger that is used here. */
export interface TlsLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface Followed {
  stop(): void;
}

/** Kubernetes takes a minute to change the files of a Secret, and certificates are renewed days before they end. */
const POLL_MS = 10_000;

export interface FollowOptions<Content> {
  /** For the log: `the certificate of this server`. */
  what: string;
  /** Throws while what stands in the files cannot be used. */
  read: () => Content;
  /** What was read before, and is in use. */
  inUse: Content;
  /** Puts another content to use. */
  take: (content: Content) => void;
  logger: TlsLogger;
  /** @default 10_000 */
  everyMs?: number | undefined;
}

/**
 * Polls the files for changed content. It reads them each time, because the files of a mounted Secret are symbolic links, and
 * file watchers do not report changes behind those on every platform. Unusable content is logged once, and not taken over.
 */
export function followFile<Content>(options: FollowOptions<Content>): Followed {
  const { what, read, take, logger, everyMs = POLL_MS } = options;
  let { inUse } = options;
  let complaint: string | undefined;

  function look(): void {
    try {
      const found = read();
      if (!isDeepStrictEqual(found, inUse)) {
        take(found);
        inUse = found;
        logger.info({}, `reloaded ${what}`);
      }
      complaint = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== complaint)
        logger.warn({ err: error }, `could not reload ${what}, keeping the previous one`);
      complaint = message;
    }
  }

  const timer = setInterval(look, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
