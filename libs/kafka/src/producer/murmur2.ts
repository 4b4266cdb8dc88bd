const SEED = 0x9747b28c;
const M = 0x5bd1e995;
const R = 24;

/** murmur2 as Kafka's Java client computes it. Returns a signed 32-bit integer. */
export function murmur2(bytes: Uint8Array): number {
  const length = bytes.length;
  const tail = length & ~3;
  let hash = SEED ^ length;
  for (let i = 0; i < tail; i += 4) {
    hash = mix(hash, byteAt(bytes, i), byteAt(bytes, i + 1), byteAt(bytes, i + 2), byteAt(bytes, i + 3));
  }
  return finish(hash, length & 3, byteAt(bytes, tail), byteAt(bytes, tail + 1), byteAt(bytes, tail + 2));
}

/**
 * murmur2 over the UTF-8 bytes of a text. Most keys are ASCII, whose bytes are their char codes: those are
 * hashed in place, which is several times faster than encoding them first.
 */
export function murmur2OfText(text: string): number {
  const length = text.length;
  const tail = length & ~3;
  let hash = SEED ^ length;
  let seen = 0;
  for (let i = 0; i < tail; i += 4) {
    const a = text.charCodeAt(i);
    const b = text.charCodeAt(i + 1);
    const c = text.charCodeAt(i + 2);
    const d = text.charCodeAt(i + 3);
    seen |= a | b | c | d;
    hash = mix(hash, a, b, c, d);
  }
  for (let i = tail; i < length; i++) seen |= text.charCodeAt(i);
  if (seen > 0x7f) return murmur2(Buffer.from(text));
  // charCodeAt beyond the end is NaN, which the bit operations of finish() never reach.
  return finish(
    hash,
    length & 3,
    text.charCodeAt(tail),
    text.charCodeAt(tail + 1),
    text.charCodeAt(tail + 2),
  );
}

function mix(hash: number, a: number, b: number, c: number, d: number): number {
  let k = Math.imul(a | (b << 8) | (c << 16) | (d << 24), M);
  k = Math.imul(k ^ (k >>> R), M);
  return Math.imul(hash, M) ^ k;
}

function finish(hash: number, left: number, a: number, b: number, c: number): number {
  let h = hash;
  if (left === 3) h ^= c << 16;
  if (left >= 2) h ^= b << 8;
  if (left >= 1) h = Math.imul(h ^ a, M);
  h = Math.imul(h ^ (h >>> 13), M);
  return h ^ (h >>> 15);
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}
