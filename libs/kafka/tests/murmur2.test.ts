import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partitionOf } from '../src/index.ts';
import { murmur2, murmur2OfText } from '../src/producer/murmur2.ts';

/** From org.apache.kafka.common.utils.Utils 4.1.1: key, murmur2(utf8), toPositive(hash) % 6. */
const JAVA: [string, number, number][] = [
  ['', 275646681, 3],
  ['a', -1563381124, 4],
  ['ab', 316155434, 2],
  ['abc', 479470107, 3],
  ['abcd', -1323649548, 2],
  ['abcde', 461995741, 1],
  ['21', -973932308, 0],
  ['foobar', -790332482, 0],
  ['vineyard/rack-000001', -1916752924, 4],
  ['vineyard/rack-000002', 782819485, 1],
  ['a-little-bit-long-string', -985981536, 2],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971, 5],
  ['cellar-1/Gärkeller 7', 1337893234, 4],
  ['keller/冷蔵庫', -819886883, 3],
  ['k/🍷', -80882778, 2],
  ['x/\u007f', 557514571, 1],
  ['x/\u0080', -59034753, 5],
];

describe('murmur2', () => {
  it.each(JAVA)('hashes %j as the Java client does', (key, hash, partition) => {
    expect(murmur2(Buffer.from(key))).toBe(hash);
    expect(murmur2OfText(key)).toBe(hash);
    expect(partitionOf(key, 6)).toBe(partition);
    expect(partitionOf(Buffer.from(key), 6)).toBe(partition);
  });

  it('hashes bytes that are no text', () => {
    expect(murmur2(Uint8Array.of(0xff, 0x80, 0, 1, 0xfe, 0x7f, 0xc3))).toBe(-1391758106);
  });

  it('hashes a text as its UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(murmur2OfText(text)).toBe(murmur2(Buffer.from(text)));
      }),
    );
  });
});
