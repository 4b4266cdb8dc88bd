import { startLoop } from '@cellarman/concurrency';
import type { Logger } from '@cellarman/telemetry';
import { backoffSeconds } from './backoff.ts';
import { DeliveryError } from './delivery-error.ts';
import type { Outbox, WaitingNotification } from './outbox.ts';

/** Resolves when the receiver has accepted it. */
export type Send = (notification: WaitingNotification) => Promise<void>;

export interface DeliveryOptions {
  outbox: Outbox;
  send: Record<WaitingNotification['kind'], Send>;
  onAttempt: (kind: WaitingNotification['kind'], outcome: 'delivered' | 'failed') => void;
  logger: Logger;
}

const POLL_MS = 2_000;
/** Attempts at a time in one replica. */
const CONCURRENCY = 8;

/** Sends what waits in the outbox, at least once each. */
export function startDelivery(options: DeliveryOptions): { wake: () => void; stop(): Promise<void> } {
  const { outbox, logger } = options;
  const inFlight = new Set<Promise<void>>();

  const loop = startLoop({
    ...{ intervalMs: POLL_MS, logger },
    failed: 'could not read queued alert notifications, will retry',
    async work() {
      const free = CONCURRENCY - inFlight.size;
      const claimed = free > 0 ? await outbox.claim(free) : [];
      for (const notification of claimed) {
        const attempt = deliver(notification, options).finally(() => {
          inFlight.delete(attempt);
          // The next one of its rule may go now.
          loop.wake();
        });
        inFlight.add(attempt);
      }
    },
  });
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      await Promise.all(inFlight);
    },
  };
}

async function deliver(notification: WaitingNotification, options: DeliveryOptions): Promise<void> {
  const { outbox, send, onAttempt, logger } = options;
  const { id, kind, attempts, isTest } = notification;
  try {
    try {
      await send[kind](notification);
    } catch (error) {
      onAttempt(kind, 'failed');
      const reason = error instanceof DeliveryError ? error.message : 'Unexpected error';
      // Without the cause: it can name the URL, which is a secret with many providers.
      logger.warn(
        { notification: id, destination: notification.destinationId, reason, attempts },
        'could not deliver an alert notification',
      );
      await outbox.failed(id, reason, isTest ? null : backoffSeconds(attempts));
      return;
    }
    onAttempt(kind, 'delivered');
    await outbox.delivered(id);
  } catch (error) {
    // It is sent again when the claim ends, with the same id.
    logger.warn({ err: error, notification: id }, 'could not store the result of a delivery');
  }
}
