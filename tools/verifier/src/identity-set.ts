/** Marks of an identity; they add up. */
export const SEEN = {
  /** In the range of the topic. */
  topic: 1,
  /** Only in the margin around the range. */
  margin: 2,
  /** A client saw it acknowledged. */
  acknowledged: 4,
  view: 8,
  /** In the view more than once. */
  viewTwice: 16,
  /** The view hides it: older than the retention of its cellar. */
  expired: 32,
} as const;

export type Marks = number;

/** Identities with their marks, 17 bytes each at a filling of at most 60 %: ten million take 400 MiB at the most. */
export interface IdentitySet {
  /** Adds marks and returns the previous ones; 0 for one that was not there. */
  mark(identity: Buffer, marks: Marks): Marks;
  marksOf(identity: Buffer): Marks;
  /** How many identities have all of `marks` and none of `without`. */
  count(marks: Marks, without?: Marks): number;
  size(): number;
}

const WORDS = 4;
const MOST_FILLED = 0.6;

export function createIdentitySet(): IdentitySet {
  let capacity = 1 << 16;
  let words = new Uint32Array(capacity * WORDS);
  let marks = new Uint8Array(capacity);
  let size = 0;

  /** The slot of an identity, or the free one where it belongs. A free slot has no marks. */
  function slotOf(a: number, b: number, c: number, d: number): number {
    let slot = a & (capacity - 1);
    while (marks[slot] !== 0) {
      const at = slot * WORDS;
      if (words[at] === a && words[at + 1] === b && words[at + 2] === c && words[at + 3] === d) return slot;
      slot = (slot + 1) & (capacity - 1);
    }
    return slot;
  }

  function grow(): void {
    const [oldWords, oldMarks] = [words, marks];
    capacity *= 2;
    words = new Uint32Array(capacity * WORDS);
    marks = new Uint8Array(capacity);
    oldMarks.forEach((old, from) => {
      if (old === 0) return;
      const [a = 0, b = 0, c = 0, d = 0] = oldWords.subarray(from * WORDS, from * WORDS + WORDS);
      const to = slotOf(a, b, c, d);
      words.set([a, b, c, d], to * WORDS);
      marks[to] = old;
    });
  }

  const find = (identity: Buffer): number =>
    slotOf(
      identity.readUInt32LE(0),
      identity.readUInt32LE(4),
      identity.readUInt32LE(8),
      identity.readUInt32LE(12),
    );

  return {
    mark(identity, added) {
      if (size >= capacity * MOST_FILLED) grow();
      const slot = find(identity);
      const before = marks[slot] ?? 0;
      if (before === 0) {
        for (let i = 0; i < WORDS; i++) words[slot * WORDS + i] = identity.readUInt32LE(i * 4);
        size += 1;
      }
      marks[slot] = before | added;
      return before;
    },
    marksOf: (identity) => marks[find(identity)] ?? 0,
    count(wanted, without = 0) {
      let found = 0;
      for (const mark of marks)
        if ((mark & wanted) === wanted && (mark & without) === 0 && mark !== 0) found += 1;
      return found;
    },
    size: () => size,
  };
}
