import type { PendingMessage } from './pending-message.ts';
import type { ProduceError } from '../producer/produce-error.ts';

/**
 * The messages of one partition in the order of their publish().
 *
 * States: `waiting` messages are taken from the front into `inFlight`; while anything is in flight nothing more
 * is taken, which keeps the order. What fails goes back to the front. Deadlines only grow along the queue, so
 * looking at the heads finds everything that is due.
 */
export class PartitionQueue {
  readonly partition: number;
  /** Memory held by what waits and what is in flight. */
  heldBytes = 0;
  inFlight: readonly PendingMessage[] = [];
  /** Sends that failed in a row. While it is not 0, the partition travels alone. */
  failures = 0;
  failedAt = -Infinity;
  retryAt = 0;
  lastError: ProduceError | undefined;
  /** Less than the usual bound while the broker finds batches too large. */
  mostMessages = Infinity;
  #waiting: PendingMessage[] = [];
  #head = 0;
  #inFlightSettled = 0;

  constructor(partition: number) {
    this.partition = partition;
  }

  get waiting(): number {
    return this.#waiting.length - this.#head;
  }

  /** The deadline of the message that waits longest. */
  get firstDeadline(): number {
    return this.#waiting[this.#head]?.deadline ?? Infinity;
  }

  isReady(now: number): boolean {
    return this.waiting > 0 && this.inFlight.length === 0 && now >= this.retryAt;
  }

  push(pending: PendingMessage): void {
    this.#waiting.push(pending);
    this.heldBytes += pending.heldBytes;
  }

  /** Moves messages into flight, at least one and then as many as the bounds allow. */
  take(maxMessages: number, maxBytes: number): readonly PendingMessage[] {
    const taken: PendingMessage[] = [];
    let bytes = 0;
    while (taken.length < maxMessages) {
      const next = this.#waiting[this.#head];
      if (next === undefined || (taken.length > 0 && bytes + next.wireBytes > maxBytes)) break;
      bytes += next.wireBytes;
      next.sent = true;
      taken.push(next);
      this.#head++;
    }
    this.#forgetTaken();
    this.inFlight = taken;
    this.#inFlightSettled = 0;
    return taken;
  }

  /** The size of what take() would take first. */
  get nextBytes(): number {
    return this.#waiting[this.#head]?.wireBytes ?? 0;
  }

  /** Ends the flight. Messages for which `again` holds return to the front; the bytes of the others are free. */
  complete(again: (pending: PendingMessage) => boolean): number {
    const back: PendingMessage[] = [];
    let freed = 0;
    for (const pending of this.inFlight) {
      if (again(pending)) back.push(pending);
      else freed += pending.heldBytes;
    }
    this.inFlight = [];
    this.heldBytes -= freed;
    if (back.length > 0) {
      this.#waiting = [...back, ...this.#waiting.slice(this.#head)];
      this.#head = 0;
    }
    return freed;
  }

  /** Calls `expire` for every message whose deadline has passed. Returns the bytes that became free. */
  expire(now: number, expire: (pending: PendingMessage) => void): number {
    for (; this.#inFlightSettled < this.inFlight.length; this.#inFlightSettled++) {
      const pending = this.inFlight[this.#inFlightSettled];
      if (pending === undefined || pending.deadline > now) break;
      expire(pending);
    }
    let freed = 0;
    for (;;) {
      const pending = this.#waiting[this.#head];
      if (pending === undefined || pending.deadline > now) break;
      this.#head++;
      freed += pending.heldBytes;
      expire(pending);
    }
    this.#forgetTaken();
    this.heldBytes -= freed;
    return freed;
  }

  #forgetTaken(): void {
    if (this.#head === this.#waiting.length) {
      this.#waiting = [];
      this.#head = 0;
    } else if (this.#head > 1_024 && this.#head * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
  }
}
