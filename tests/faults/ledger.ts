import type { Reading } from '@cellarman/reading';

/** What a client knows of one reading. `unknown`: it was sent, and no response shows whether it was stored. */
export type Outcome = 'acknowledged' | 'rejected' | 'unknown';

export interface StoredRow {
  rack: string;
  keg: string;
  /** The number that the ledger gave to the reading, taken back out of its value. */
  value: number;
  /** Nanoseconds since 1970. */
  timestamp: bigint;
}

export interface Verdict {
  sent: number;
  acknowledged: number;
  /** Rows, repetitions included. */
  stored: number;
  /** Acknowledged, but not stored. */
  missing: number;
  /** Rows beyond the first of one reading. */
  doubled: number;
  /** Rows that are nothing that was sent: a value, a name or a time is not what it was. */
  changed: number;
  examples: string[];
}

export interface NumberedReading {
  number: number;
  /** Without a timestamp if the client sets it. */
  reading: Omit<Reading, 'timestamp'> & { timestamp?: string };
}

/** Every reading is unique: its value contains its number, so that a row in the view identifies it. */
export interface Ledger {
  /** A reading that was not sent before, of the given rack, or of all racks round-robin. */
  next(rack?: number): NumberedReading;
  record(number: number, outcome: Outcome): void;
  acknowledged(): number;
  sent(): number;
  /**
   * Compares what clients saw with what is stored: acknowledged ⊆ stored ⊆ sent, each once, none altered.
   *
   * @param options.mayRepeat repetitions are counted, but allowed: the raw topic is at least once
   */
  compare(
    rows: Iterable<StoredRow> | AsyncIterable<StoredRow>,
    options?: { mayRepeat?: boolean },
  ): Promise<Verdict>;
}

/** The value carries the number with four decimals, which careless parsers get wrong. */
const VALUE_SCALE = 10_000;
/** Measurement and field of line protocol. */
const KEG = 'boiler.temperature';
const CODES: Record<Outcome, number> = { unknown: 0, rejected: 1, acknowledged: 2 };
const MOST_EXAMPLES = 10;

export interface LedgerOptions {
  cellar: string;
  racks: number;
  /** Racks whose clients set the timestamps, by clocks that may be wrong. */
  isTimedByClient?: (rack: number) => boolean;
}

export function createLedger(options: LedgerOptions): Ledger {
  const { cellar, racks, isTimedByClient = () => false } = options;
  const begun = Date.now();
  /** Readings of each rack: number `rack + n * racks` is its n-th. */
  const sentOf = new Uint32Array(racks);
  // One byte for each reading: what it was follows from its number.
  let outcomes = new Uint8Array(1 << 16);
  let sent = 0;
  let acknowledged = 0;

  function readingOf(number: number): NumberedReading['reading'] {
    const time = new Date(begun + Math.floor(number / 1000)).toISOString().slice(0, -1);
    const timestamp = `${time}${String(number % 1000).padStart(3, '0')}Z`;
    const rack = `rack-${number % racks}`;
    const reading = { cellar, rack, keg: KEG, value: number / VALUE_SCALE };
    return isTimedByClient(number % racks) ? reading : { ...reading, timestamp };
  }

  const nanosecondsOf = (number: number): bigint =>
    BigInt(begun + Math.floor(number / 1000)) * 1_000_000n + BigInt(number % 1000) * 1000n;

  const isAsSent = (number: number, row: StoredRow): boolean =>
    Math.floor(number / racks) < (sentOf[number % racks] ?? 0) &&
    row.value === number / VALUE_SCALE &&
    row.rack === `rack-${number % racks}` &&
    row.keg === KEG &&
    (isTimedByClient(number % racks) || row.timestamp === nanosecondsOf(number));

  return {
    next(rack = sent % racks) {
      const number = rack + (sentOf[rack] ?? 0) * racks;
      sentOf[rack] = (sentOf[rack] ?? 0) + 1;
      sent += 1;
      while (number >= outcomes.length) {
        const larger = new Uint8Array(outcomes.length * 2);
        larger.set(outcomes);
        outcomes = larger;
      }
      return { number, reading: readingOf(number) };
    },
    record(number, outcome) {
      // A reading that was acknowledged once stays so, whatever the response to a second attempt.
      if (outcomes[number] === CODES.acknowledged) return;
      outcomes[number] = CODES[outcome];
      if (outcome === 'acknowledged') acknowledged += 1;
    },
    acknowledged: () => acknowledged,
    sent: () => sent,
    async compare(rows, { mayRepeat = false } = {}) {
      const found = new Uint8Array(outcomes.length);
      const verdict: Verdict = {
        ...{ sent, acknowledged, stored: 0, missing: 0, doubled: 0, changed: 0 },
        examples: [],
      };
      const example = (text: string): void => {
        if (verdict.examples.length < MOST_EXAMPLES) verdict.examples.push(text);
      };
      for await (const row of rows) {
        verdict.stored += 1;
        const number = Math.round(row.value * VALUE_SCALE);
        if (!isAsSent(number, row)) {
          verdict.changed += 1;
          example(`changed: ${row.rack} ${row.value} at ${row.timestamp}`);
        } else if (found[number] === 1) {
          verdict.doubled += 1;
          if (!mayRepeat) example(`doubled: number ${number}`);
        } else {
          found[number] = 1;
        }
      }
      for (let number = 0; number < found.length; number++) {
        if (outcomes[number] !== CODES.acknowledged || found[number] === 1) continue;
        verdict.missing += 1;
        example(`missing: number ${number}, ${JSON.stringify(readingOf(number))}`);
      }
      return verdict;
    },
  };
}
