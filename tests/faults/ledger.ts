import type { Reading } from '@cellarman/contracts';

/** What a client knows of one reading. `unknown`: it was sent, and no answer says whether it was stored. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

export interface StoredRow {
  rack: string;
  /** The number that the ledger gave to the reading, taken back out of its value. */
  value: number;
  /** Nanoseconds since 1970. */
  timestamp: bigint;
}

export interface Verdict {
  sent: number;
  acknowledged: number;
  stored: number;
  /** Acknowledged, but not stored. */
  missing: number;
  /** Rows beyond the first of one reading. */
  doubled: number;
  /** Rows that are nothing that was sent: a value, a name or a time is not what it was. */
  changed: number;
  examples: string[];
}

/** Every reading is its own: its number stands in its value, so that a row in the view tells which one it is. */
export interface Ledger {
  /** A reading that was not sent before. */
  next(): { number: number; reading: Reading };
  record(number: number, outcome: Outcome, status: number | string): void;
  /** How often each status or failure was the answer. */
  answers(): Record<string, number>;
  /** Holds what clients saw against what is stored: acknowledged ⊆ stored ⊆ sent, each once, none changed. */
  judge(rows: Iterable<StoredRow>): Verdict;
  acknowledged(): number;
}

/** The value carries the number with four decimals, which careless parsers get wrong. */
const VALUE_SCALE = 10_000;

export function createLedger(options: { cellar: string; racks: number }): Ledger {
  const { cellar, racks } = options;
  const begun = Date.now();
  const outcomes: Outcome[] = [];
  const answers: Record<string, number> = {};

  // A reading follows from its number, so that the ledger holds one word for each.
  function readingOf(number: number): Reading {
    const time = new Date(begun + Math.floor(number / 1000)).toISOString().slice(0, -1);
    return {
      cellar,
      rack: `rack-${number % racks}`,
      keg: 'temperature',
      value: number / VALUE_SCALE,
      timestamp: `${time}${String(number % 1000).padStart(3, '0')}Z`,
    };
  }

  const nanosecondsOf = (number: number): bigint =>
    BigInt(begun + Math.floor(number / 1000)) * 1_000_000n + BigInt(number % 1000) * 1000n;

  return {
    next() {
      const number = outcomes.push('unknown') - 1;
      return { number, reading: readingOf(number) };
    },
    record(number, outcome, status) {
      answers[status] = (answers[status] ?? 0) + 1;
      // A reading that was acknowledged once stays so, whatever a second attempt was answered.
      if (outcomes[number] !== 'acknowledged') outcomes[number] = outcome;
    },
    answers: () => answers,
    acknowledged: () => outcomes.reduce((sum, outcome) => sum + (outcome === 'acknowledged' ? 1 : 0), 0),
    judge(rows) {
      const found = new Uint8Array(outcomes.length);
      const verdict: Verdict = {
        sent: outcomes.length,
        acknowledged: 0,
        stored: 0,
        missing: 0,
        doubled: 0,
        changed: 0,
        examples: [],
      };
      const example = (text: string): void => {
        if (verdict.examples.length < 10) verdict.examples.push(text);
      };
      for (const row of rows) {
        verdict.stored += 1;
        const number = Math.round(row.value * VALUE_SCALE);
        const isAsSent =
          number < outcomes.length &&
          row.value === number / VALUE_SCALE &&
          row.rack === `rack-${number % racks}` &&
          row.timestamp === nanosecondsOf(number);
        if (!isAsSent) {
          verdict.changed += 1;
          example(`changed: ${row.rack} ${row.value} at ${row.timestamp}`);
        } else if (found[number] === 1) {
          verdict.doubled += 1;
          example(`doubled: number ${number}`);
        } else {
          found[number] = 1;
        }
      }
      outcomes.forEach((outcome, number) => {
        if (outcome !== 'acknowledged') return;
        verdict.acknowledged += 1;
        if (found[number] === 1) return;
        verdict.missing += 1;
        example(`missing: number ${number}, ${JSON.stringify(readingOf(number))}`);
      });
      return verdict;
    },
  };
}
