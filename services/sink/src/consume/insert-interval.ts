/** What was inserted last. */
export interface LastInsert {
  messages: number;
  /** From the close of the batch before it to the close of this one. */
  gatheredMs: number;
  /** From its close until it was stored, or of an earlier insert while that is not known. */
  insertMs: number;
}

/** What an insert may cost per reading: ingest needs a third of it. */
const MS_PER_READING = 0.1;

/**
 * Returns how long to gather before the next insert, in milliseconds: as long as it takes, at the rate of the last batch, until
 * the next insert costs at most {@link MS_PER_READING} per reading. An insert of 10 readings costs ClickHouse nearly as much as
 * one of 1,000: three parts, and later their merges.
 *
 * @source bench `at-rest`
 */
export function insertInterval(last: LastInsert, bounds: { minMs: number; maxMs: number }): number {
  const { messages, gatheredMs, insertMs } = last;
  const worthwhileMs = (insertMs * gatheredMs) / (messages * MS_PER_READING);
  return Math.min(Math.max(worthwhileMs, bounds.minMs), bounds.maxMs);
}
