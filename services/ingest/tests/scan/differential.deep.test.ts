import { READING_FIELD_NAMES } from '@cellarman/reading';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanReadingAt } from '../../src/scan/scan-reading.ts';
import { arbitraryBody } from './arbitrary-bodies.ts';
import { mutated } from './mutate-bytes.ts';
import { bodyOf, rawValue } from './readings.ts';
import { judge } from './strict-oracle.ts';
import type { Verdict } from './strict-oracle.ts';

/*
 * The scanner and the oracle must agree on every body: on the verdict, on the field that is named, and on each byte that
 * is handed on. On a disagreement fast-check prints the seed, the path and the smallest body that it found.
 */

/** What lies behind a reading in its buffer: each could complete one that is cut short. */
const NEIGHBOURS = ['', '}', '"}', '0}', 'Z"}', '"', ',', ':', '\\', '\x80', '\xbf"}'];

interface Place {
  offset: number;
  neighbour: string;
}

const place: fc.Arbitrary<Place> = fc.record({
  offset: fc.nat(3),
  neighbour: fc.constantFrom(...NEIGHBOURS),
});

function agree(bytes: Buffer, { offset, neighbour }: Place): Verdict['code'] {
  const buffer = Buffer.concat([Buffer.alloc(offset, '{'), bytes, Buffer.from(neighbour, 'latin1')]);
  const result = scanReadingAt(buffer, offset, offset + bytes.length);
  const verdict = judge(bytes);
  expect({ body: bytes.toString(), code: result.ok ? 'accepted' : result.code }).toEqual({
    body: bytes.toString(),
    code: verdict.code,
  });
  if (verdict.code === 'invalid_reading' && !result.ok) {
    for (const name of verdict.named) expect(result.error).toContain(shortened(name));
  }
  if (verdict.code === 'accepted' && result.ok) {
    const { members } = verdict;
    expect(result.cellar).toBe(members.get('cellar')?.value);
    expect(result.rack).toBe(members.get('rack')?.value);
    for (const name of READING_FIELD_NAMES) {
      expect(rawValue(buffer, result, name)).toBe(members.get(name)?.raw);
    }
    expect(result.timestampMs).toBe(verdict.timestampMs);
  }
  return verdict.code;
}

/** Long names are cut in messages. */
function shortened(quoted: string): string {
  return quoted.length > 60 ? quoted.slice(0, 60) : quoted;
}

test(
  'the scanner and the oracle agree on 25,000 readings, whole, changed and broken',
  { timeout: 120_000 },
  () => {
    const counts = { accepted: 0, invalid_json: 0, invalid_reading: 0 };
    fc.assert(
      fc.property(mutated(arbitraryBody), place, (bytes, where) => {
        counts[agree(bytes, where)]++;
      }),
      { numRuns: 25_000 },
    );
    // A generator that lost its balance would test little.
    expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(4_000);
  },
);

test('the scanner and the oracle agree on bytes of any kind', { timeout: 120_000 }, () => {
  const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
  const json = fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text));
  fc.assert(
    fc.property(fc.oneof(bytes, json), place, (body, where) => {
      agree(body, where);
    }),
    { numRuns: 5_000 },
  );
});

test('the scanner and the oracle agree on what is UTF-8', { timeout: 120_000 }, () => {
  const [before, after] = bodyOf({ rack: '"|"' })
    .split('|')
    .map((part) => Buffer.from(part)) as [Buffer, Buffer];
  // The first and last bytes of each row of the table of well-formed sequences, and their neighbours.
  const edge = fc.constantFrom(
    ...[0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee],
    ...[0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff],
  );
  const continuation = fc.constantFrom(0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf);
  const sequence = fc.tuple(
    edge,
    fc.array(fc.oneof({ weight: 6, arbitrary: continuation }, edge), { maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(sequence, { minLength: 1, maxLength: 2 }), (sequences) => {
      agree(Buffer.concat([before, Buffer.from(sequences.flat(2)), after]), { offset: 0, neighbour: '' });
    }),
    { numRuns: 10_000 },
  );
});
