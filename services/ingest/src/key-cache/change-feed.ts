import type { Change } from '@cellarman/contracts';
import type { KeyServiceClient } from '@cellarman/key-service-client';
import type { Logger } from '@cellarman/telemetry';
import { createFirstHint } from '@cellarman/tls';

/** A cached key is trusted while the last successful pull began less than this ago. */
const FRESH_MS = 2_000;

/**
 * - `fresh`: every change that was committed two seconds ago has been applied here.
 * - `unreachable`: not fresh, and a request to key-service that began less than two seconds ago has failed.
 * - `unsure`: not fresh, and no recent pull: this process was paused, or has just started. Pull first.
 */
export type FeedState = 'fresh' | 'unreachable' | 'unsure';

/** Where this replica stands in the history of changes. */
export interface FeedPosition {
  /** undefined before the first pull, and after the history broke off. */
  epoch: string | undefined;
  number: number;
}

export interface ChangeFeedOptions {
  keyService: Pick<KeyServiceClient, 'changes'>;
  intervalMs: number;
  /** Milliseconds of a clock that never jumps. */
  monotonic: () => number;
  /** Called before the position moves on. */
  onChanges: (changes: readonly Change[]) => void;
  /** What was cached is worth nothing: another epoch, or changes that are no longer known. */
  onForget: () => void;
  /** Called after each pull. */
  onPulled?: (error: unknown) => void;
  logger: Logger;
}

/** Pulls the changes of keys, which keeps the cache honest without any message that could get lost. */
export interface ChangeFeed {
  start(): void;
  stop(): void;
  state(): FeedState;
  /** How long ago the last successful pull began, in milliseconds. */
  ageMs(): number;
  position(): Readonly<FeedPosition>;
  /** Pulls now, or joins the pull that is in progress. Never rejects; check `state` afterwards. */
  pull(): Promise<void>;
}

export function createChangeFeed(options: ChangeFeedOptions): ChangeFeed {
  const { keyService, intervalMs, monotonic, onChanges, onForget, onPulled, logger } = options;
  const position: FeedPosition = { epoch: undefined, number: -1 };
  let freshSince = -Infinity;
  /** When the failed request for a page was sent. */
  let failedSince = -Infinity;
  let pageBegan = -Infinity;
  const isFirstHint = createFirstHint();
  let pulling: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = true;

  /** One page. Returns whether it was the last. */
  async function pullPage(): Promise<boolean> {
    const began = (pageBegan = monotonic());
    const after = position.number;
    const page = await keyService.changes(after);
    const lost = after >= 0 && (page.epoch !== position.epoch || !page.complete || page.number < after);
    if (lost) {
      logger.warn(
        { epoch: page.epoch, complete: page.complete, number: page.number, after },
        'the key change history has a gap, dropped all cached keys',
      );
      onForget();
      // Until the next page sets the position, no lookup counts: a change that it missed would never be delivered.
      position.epoch = undefined;
      position.number = -1;
      return false;
    }
    onChanges(page.changes);
    position.epoch = page.epoch;
    position.number = page.number;
    if (page.more) return false;
    freshSince = began;
    return true;
  }

  async function pullAll(): Promise<void> {
    try {
      while (!(await pullPage()));
      if (failedSince > -Infinity) logger.info({}, 'key-service is reachable again');
      failedSince = -Infinity;
      onPulled?.(undefined);
    } catch (error) {
      if (isFirstHint(error) || failedSince === -Infinity) {
        logger.warn({ err: error }, 'key-service is unreachable, using cached keys');
      }
      // Not from now: a request that timed out while this process was paused does not show that key-service is down.
      failedSince = pageBegan;
      onPulled?.(error);
    }
  }

  function pull(): Promise<void> {
    pulling ??= pullAll().finally(() => (pulling = undefined));
    return pulling;
  }

  async function pullAndSchedule(): Promise<void> {
    const began = monotonic();
    await pull();
    if (stopped) return;
    timer = setTimeout(
      () => void pullAndSchedule(),
      Math.max(intervalMs - (monotonic() - began), intervalMs / 5),
    );
  }

  return {
    start() {
      stopped = false;
      void pullAndSchedule();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
    state() {
      const now = monotonic();
      if (now - freshSince < FRESH_MS) return 'fresh';
      return now - failedSince < FRESH_MS ? 'unreachable' : 'unsure';
    },
    ageMs: () => monotonic() - freshSince,
    position: () => position,
    pull,
  };
}
