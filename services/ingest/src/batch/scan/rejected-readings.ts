import { ERROR_CATALOGUE } from '@cellarman/contracts';
import type { BatchErrorCode } from '@cellarman/contracts';
import { noRoom } from '../batch-rejection.ts';
import type { Reservation } from '../reservation.ts';
import type { YieldToEventLoop } from '../yield-to-event-loop.ts';

/** The rejected readings of one batch, as text for the response. Their memory is reserved before they are kept. */
export interface RejectedReadings {
  /**
   * @param rack if the reading was valid enough to know it
   * @throws {BatchRejection} when there is no room in memory
   */
  add(index: number, code: BatchErrorCode, error: string, rack?: string): void;
  readonly count: number;
  /** The one that was added first. */
  readonly first: { index: number; code: BatchErrorCode; error: string } | undefined;
  readonly isAnyRetryable: boolean;
  /** The members of the list `errors`, by index, in pieces. */
  members(yieldToEventLoop: YieldToEventLoop): Promise<Buffer[]>;
}

/** Entries that become text in one turn of the event loop. */
const PIECE = 1_000;
/** What an entry takes besides its text. */
const OVERHEAD = 64;

export function createRejectedReadings(
  memory: Reservation,
  note: (code: BatchErrorCode, error: string, rack: string | undefined) => void,
): RejectedReadings {
  const entries: { index: number; text: string }[] = [];
  let isAnyRetryable = false;
  let first: RejectedReadings['first'];
  let isSorted = true;

  return {
    add(index, code, error, rack) {
      const { retryable } = ERROR_CATALOGUE[code];
      const text = `{"index":${index},"error":${JSON.stringify(error)},"code":"${code}","retryable":${retryable}}`;
      // Once as text, and once in the response.
      if (!memory.grow(2 * text.length + OVERHEAD)) throw noRoom();
      isSorted &&= entries.length === 0 || (entries.at(-1)?.index ?? 0) < index;
      isAnyRetryable ||= retryable;
      first ??= { index, code, error };
      entries.push({ index, text });
      note(code, error, rack);
    },
    get count() {
      return entries.length;
    },
    get first() {
      return first;
    },
    get isAnyRetryable() {
      return isAnyRetryable;
    },
    async members(yieldToEventLoop) {
      if (!isSorted) entries.sort((a, b) => a.index - b.index);
      const pieces: Buffer[] = [];
      for (let start = 0; start < entries.length; start += PIECE) {
        if (start > 0) await yieldToEventLoop();
        const texts = entries.slice(start, start + PIECE).map(({ text }) => text);
        pieces.push(Buffer.from(`${start > 0 ? ',' : ''}${texts.join()}`));
      }
      return pieces;
    },
  };
}
