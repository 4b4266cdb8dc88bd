import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanReadingAt } from '../../src/scan-reading.ts';
import { arbitraryBody } from './arbitrary-bodies.ts';
import { mutated } from './mutate-bytes.ts';
import { judge } from './strict-oracle.ts';
import type { Verdict } from './strict-oracle.ts';

/*
 * The scanner and the oracle must agree on every body: on the verdict, on the field that is named, and on each byte that
 * is handed on. On a disagreement fast-check prints the seed, the path and the smallest body that it found.
 */

/** Scans it inside a larger buffer, between bytes that would complete what is cut short. */
function scanBetweenNeighbours(bytes: Buffer, offset: number) {
  const buffer = Buffer.concat([Buffer.alloc(offset, ' '), bytes, Buffer.from('"}0\x80\x80\x80')]);
  return { buffer, result: scanReadingAt(buffer, offset, offset + bytes.length) };
}

function agree(bytes: Buffer, offset: number): Verdict['code'] {
  const verdict = judge(bytes);
  const { buffer, result } = scanBetweenNeighbours(bytes, offset);
  expect({ body: bytes.toString(), code: result.ok ? 'accepted' : result.code }).toEqual({
    body: bytes.toString(),
    code: verdict.code,
  });
  if (verdict.code === 'invalid_reading' && !result.ok) {
    for (const name of verdict.named) expect(result.error).toContain(shortened(name));
  }
  if (verdict.code === 'accepted' && result.ok) {
    const raw = (start: number, end: number) => buffer.toString('utf8', start, end);
    const { members } = verdict;
    expect(result.cellar).toBe(members.get('cellar')?.value);
    expect(result.rack).toBe(members.get('rack')?.value);
    expect(raw(result.cellarStart, result.cellarEnd)).toBe(members.get('cellar')?.raw);
    expect(raw(result.rackStart, result.rackEnd)).toBe(members.get('rack')?.raw);
    expect(raw(result.kegStart, result.kegEnd)).toBe(members.get('keg')?.raw);
    expect(raw(result.valueStart, result.valueEnd)).toBe(members.get('value')?.raw);
    expect(raw(result.timestampStart, result.timestampEnd)).toBe(members.get('timestamp')?.raw);
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
      fc.property(mutated(arbitraryBody), fc.nat(3), (bytes, offset) => {
        counts[agree(bytes, offset)]++;
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
    fc.property(fc.oneof(bytes, json), (body) => {
      agree(body, 0);
    }),
    { numRuns: 5_000 },
  );
});
