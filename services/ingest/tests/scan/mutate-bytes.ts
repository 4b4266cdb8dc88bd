import fc from 'fast-check';

/** Bytes that break something: pieces of UTF-8, of the grammar, of escapes. */
const FRAGMENTS = [
  [0x80],
  [0xc0, 0xaf],
  [0xc3],
  [0xc3, 0xa9],
  [0xe0, 0x80, 0xaf],
  [0xe2, 0x82],
  [0xed, 0xa0, 0x80],
  [0xef, 0xbb, 0xbf],
  [0xf0, 0x9f, 0x8d, 0xba],
  [0xf0, 0x8f, 0xbf, 0xbf],
  [0xf4, 0x90, 0x80, 0x80],
  [0xff],
  [0x00],
  [0x1f],
  [0x7f],
  ...[
    '"',
    '\\',
    '\\u',
    '\\ud83c',
    '\\udf7a',
    '\\u0000',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '0',
    '-',
    '.',
    'e',
    ' ',
  ].map((text) => [...Buffer.from(text)]),
];

/** Positions are fractions of the length, so that shrinking keeps their meaning. */
const position = fc.nat(9_999);
const at = (bytes: Buffer, place: number) => Math.floor((place * (bytes.length + 1)) / 10_000);

type Mutation = (bytes: Buffer) => Buffer;

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(position, fc.constantFrom(...FRAGMENTS)).map(
    ([place, fragment]): Mutation =>
      (bytes) =>
        splice(bytes, at(bytes, place), 0, fragment),
  ),
  fc.tuple(position, fc.constantFrom(...FRAGMENTS)).map(
    ([place, fragment]): Mutation =>
      (bytes) =>
        splice(bytes, at(bytes, place), fragment.length, fragment),
  ),
  fc.tuple(position, fc.nat(255)).map(
    ([place, byte]): Mutation =>
      (bytes) =>
        splice(bytes, at(bytes, place), 1, [byte]),
  ),
  fc.tuple(position, fc.integer({ min: 1, max: 4 })).map(
    ([place, count]): Mutation =>
      (bytes) =>
        splice(bytes, at(bytes, place), count, []),
  ),
  position.map(
    (place): Mutation =>
      (bytes) =>
        bytes.subarray(0, at(bytes, place)),
  ),
  fc.tuple(position, position, position).map(([from, to, target]): Mutation => {
    return (bytes) =>
      splice(bytes, at(bytes, target), 0, [...bytes.subarray(at(bytes, from), at(bytes, to))]);
  }),
);

function splice(bytes: Buffer, start: number, deleted: number, inserted: number[]): Buffer {
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(inserted), bytes.subarray(start + deleted)]);
}

export function mutated(body: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const none = fc.constant<Mutation[]>([]);
  const some = fc.array(mutation, { minLength: 1, maxLength: 3 });
  return fc
    .tuple(body, fc.oneof({ weight: 2, arbitrary: none }, { weight: 1, arbitrary: some }))
    .map(([text, mutations]) =>
      mutations.reduce<Buffer>((bytes, mutate) => mutate(bytes), Buffer.from(text)),
    );
}
